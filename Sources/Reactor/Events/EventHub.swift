import ReactorTypes
import Synchronization

/// Keeps what is to be done at a client's end.
typealias CloseAction = Subscription

/// Everything that a client tells its user, as handlers and as streams, in one order.
final class EventHub: Sendable {
  private let dispatcher: EventDispatcher
  let status = HandlerList<ReactorStatus>()
  let errors = HandlerList<ReactorError>()
  let messages = HandlerList<JSONValue>()
  let runtimeMessages = HandlerList<JSONValue>()
  let tracks = HandlerList<Track>()
  let capabilities = HandlerList<Capabilities>()
  let sessionID = HandlerList<String?>()

  private let closeActions = Mutex<[UInt64: @Sendable () -> Void]?>([:])
  private let nextActionID = Atomic<UInt64>(0)

  init(dispatcher: EventDispatcher) {
    self.dispatcher = dispatcher
  }

  /// Queues one event. Handlers are looked up when its turn comes, so that one registered meanwhile hears it.
  func post<Value: Sendable>(_ value: Value, to list: HandlerList<Value>) {
    dispatcher.post { list.call(value) }
  }

  /// Calls `action` when the client closes; at once when it has. Not any more once the result is released.
  func onClose(_ action: @escaping @Sendable () -> Void) -> CloseAction {
    let id = nextActionID.add(1, ordering: .relaxed).newValue
    let isOpen = closeActions.withLock { actions in
      actions?[id] = action
      return actions != nil
    }
    if !isOpen { action() }
    return CloseAction { [weak self] in
      let removed = self?.closeActions.withLock { $0?.removeValue(forKey: id) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Runs what waits for the end, after all events posted so far.
  func close() {
    let actions = closeActions.withLock { actions in
      defer { actions = nil }
      return actions ?? [:]
    }
    dispatcher.post {
      for action in actions.values { action() }
    }
  }
}
