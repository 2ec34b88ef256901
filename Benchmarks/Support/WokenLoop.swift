import Media
import WireFormat

/// A plain loop on a thread of its own that is told of each item: what any program pays that works on frames on
/// another thread than the one that receives them.
final class WokenLoop: Sendable {
  private struct State: Sendable {
    var wanted: Int?
    var isOver = false
  }

  /// `@unchecked Sendable`: made on one thread and from then on used by the loop's alone.
  private final class Owned<Worker>: @unchecked Sendable {
    let worker: Worker
    init(_ worker: Worker) { self.worker = worker }
  }

  private let requests = Monitor(State())
  private let answers = Monitor(-1)
  private let thread: WorkerThread

  /// - Parameter body: works on the item of this number; an error ends the program.
  init<Worker, Result>(_ worker: sending Worker, _ body: @escaping @Sendable (Worker, Int) throws -> Result) {
    let owned = Owned(worker)
    thread = WorkerThread(name: "bare loop") { [requests, answers] in
      while let number = requests.wait({ state -> Monitor<State>.Outcome<Int?> in
        if state.isOver { return .done(nil) }
        guard let number = state.wanted.take() else { return .sleep(until: .distantFuture) }
        return .done(number)
      }) {
        do { _ = try body(owned.worker, number) } catch { fatalError("the libraries alone failed: \(error)") }
        answers.withLock { $0 = number }
        answers.notifyOne()
      }
    }
  }

  func start(_ number: Int) {
    requests.withLock { $0.wanted = number }
    requests.notifyOne()
  }

  func wait(for number: Int) {
    answers.wait { $0 >= number ? .done(()) : .sleep(until: .distantFuture) }
  }

  func stop() {
    requests.withLock { $0.isOver = true }
    requests.notifyOne()
    thread.join()
  }
}
