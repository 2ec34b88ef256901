import Synchronization

/// The feeding end of a bounded ``StreamScope`` that keeps the newest elements.
///
/// Never blocks its feeder: past `capacity` the oldest element is dropped and counted. A reader whose task is
/// cancelled sees the end of the stream.
package final class StreamSource<Element: Sendable>: Sendable {
  private struct State {
    var buffer: [Element] = []
    var waiters: [(id: UInt64, continuation: CheckedContinuation<Element?, any Error>)] = []
    var nextID: UInt64 = 0
    var isFinished = false
    var failure: (any Error)?
    var droppedCount = 0
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// - Parameter capacity: how many elements wait for the reader, at least one.
  package init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  /// How many elements were dropped because nobody read them in time.
  package var droppedCount: Int { state.withLock { $0.droppedCount } }

  /// The reading end. `onClose` is called once, when the reader is done with it.
  ///
  /// The scope keeps this source alive, not the other way round: the feeder should hold it weakly or let go of
  /// it in `onClose`.
  package func scope(onClose: @escaping @Sendable () -> Void = {}) -> StreamScope<Element> {
    StreamScope(
      next: { try await self.next() },
      onClose: {
        self.finish()
        onClose()
      })
  }

  /// Hands `element` to a waiting reader, or keeps it.
  package func yield(_ element: Element) {
    let waiter = state.withLock { state -> CheckedContinuation<Element?, any Error>? in
      if state.isFinished { return nil }
      if !state.waiters.isEmpty { return state.waiters.removeFirst().continuation }
      state.buffer.append(element)
      if state.buffer.count > capacity {
        state.buffer.removeFirst()
        state.droppedCount += 1
      }
      return nil
    }
    waiter?.resume(returning: element)
  }

  /// Ends the stream after the elements that wait; an error is thrown once, after them.
  package func finish(throwing failure: (any Error)? = nil) {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      if !state.isFinished {
        state.isFinished = true
        // A waiting reader takes the error itself.
        state.failure = state.waiters.isEmpty ? failure : nil
      }
      return state.waiters.map(\.continuation)
    }
    for (index, waiter) in waiters.enumerated() {
      if index == 0, let failure { waiter.resume(throwing: failure) } else { waiter.resume(returning: nil) }
    }
  }

  private enum Step {
    case element(Element?)
    case failure(any Error)
    case wait
  }

  private func next() async throws -> Element? {
    let id = state.withLock { state in
      defer { state.nextID &+= 1 }
      return state.nextID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let step = state.withLock { state -> Step in
          if !state.buffer.isEmpty { return .element(state.buffer.removeFirst()) }
          if let failure = state.failure {
            state.failure = nil
            return .failure(failure)
          }
          if state.isFinished || Task.isCancelled { return .element(nil) }
          state.waiters.append((id, continuation))
          return .wait
        }
        switch step {
        case .element(let element): continuation.resume(returning: element)
        case .failure(let failure): continuation.resume(throwing: failure)
        case .wait: break
        }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Element?, any Error>? in
        guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return state.waiters.remove(at: index).continuation
      }
      waiter?.resume(returning: nil)
    }
  }
}
