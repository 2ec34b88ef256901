import Signaling
import Synchronization

/// Local candidates on their way to the runtime: gathered on the network thread, sent in batches by a task.
final class CandidateQueue: Sendable {
  struct Batch: Sendable {
    var candidates: [TrickledCandidate] = []
    var isFinal = false

    var isEmpty: Bool { candidates.isEmpty && !isFinal }
  }

  private struct State {
    var waiting = Batch()
    var isOpen = false
  }

  private let state = Mutex(State())
  private let continuation: AsyncStream<Void>.Continuation
  private let wakeUps: AsyncStream<Void>

  init() {
    (wakeUps, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func add(_ candidate: TrickledCandidate) {
    state.withLock { $0.waiting.candidates.append(candidate) }
    continuation.yield()
  }

  func finish() {
    state.withLock { $0.waiting.isFinal = true }
    continuation.yield()
  }

  /// From now on what waits may be sent.
  func open() {
    state.withLock { $0.isOpen = true }
    continuation.yield()
  }

  /// What waits, whenever something does; ends after the last candidate.
  var batches: AsyncStream<Batch> {
    AsyncStream { output in
      let task = Task {
        for await _ in wakeUps {
          let batch = state.withLock { state -> Batch in
            guard state.isOpen else { return Batch() }
            defer { state.waiting = Batch() }
            return state.waiting
          }
          if !batch.isEmpty { output.yield(batch) }
          if batch.isFinal { break }
        }
        output.finish()
      }
      output.onTermination = { _ in task.cancel() }
    }
  }
}
