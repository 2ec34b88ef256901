import Synchronization

/// The handlers of one kind of event, in the order of their registration.
final class HandlerList<Value: Sendable>: Sendable {
  private struct State {
    var handlers: [(id: UInt64, call: @Sendable (Value) -> Void)] = []
    var nextID: UInt64 = 0
  }

  private let state = Mutex(State())

  func add(_ handler: @escaping @Sendable (Value) -> Void) -> Subscription {
    let id = state.withLock { state in
      state.nextID += 1
      state.handlers.append((state.nextID, handler))
      return state.nextID
    }
    return Subscription { [weak self] in
      // The handler is released outside the lock: its captures may end in code that registers again.
      let removed = self?.state.withLock { state -> (@Sendable (Value) -> Void)? in
        guard let index = state.handlers.firstIndex(where: { $0.id == id }) else { return nil }
        return state.handlers.remove(at: index).call
      }
      withExtendedLifetime(removed) {}
    }
  }

  var isEmpty: Bool { state.withLock { $0.handlers.isEmpty } }

  /// Calls those that are registered now, one after the other; one that is cancelled meanwhile is skipped.
  func call(_ value: Value) {
    let ids = state.withLock { $0.handlers.map(\.id) }
    for id in ids {
      let handler = state.withLock { state in state.handlers.first { $0.id == id }?.call }
      handler?(value)
    }
  }

  func removeAll() {
    let removed = state.withLock { state in
      defer { state.handlers.removeAll() }
      return state.handlers
    }
    withExtendedLifetime(removed) {}
  }
}
