import ReactorTypes
import Synchronization

/// HTTP work of calls under way. The end of the session or of the client settles it at once, whatever it waits for.
final class CallsInFlight: Sendable {
  /// What a call cannot outlive.
  enum Bond: Sendable {
    case session, client
  }

  private struct Call {
    let bond: Bond
    let cancel: @Sendable () -> Void
    var settledAs: ReactorError.Code?
  }

  private struct State {
    var calls: [UInt64: Call] = [:]
    var nextID: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Does `work`, and throws `.disconnected` or `.aborted` when it was settled meanwhile.
  func run<Value: Sendable>(
    _ operation: String, bondedTo bond: Bond, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // The work may close the client at once: it must find itself here by then.
    let (id, task) = state.withLock { state in
      let task = Task(operation: work)
      state.nextID += 1
      state.calls[state.nextID] = Call(
        bond: bond, cancel: { task.cancel() }, settledAs: state.isClosed ? .aborted : nil)
      if state.isClosed { task.cancel() }
      return (state.nextID, task)
    }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    let code = state.withLock { $0.calls.removeValue(forKey: id)?.settledAs }
    do {
      return try result.get()
    } catch {
      guard let code else { throw ReactorError.from(error, operation: operation) }
      let text = code == .aborted ? "the client was closed" : "the client was disconnected"
      throw ReactorError(code, text, operation: operation)
    }
  }

  /// The session is over.
  func sessionEnded() {
    settle(.disconnected) { $0 == .session }
  }

  /// The client is closed, for good.
  func close() {
    state.withLock { $0.isClosed = true }
    settle(.aborted) { _ in true }
  }

  private func settle(_ code: ReactorError.Code, _ concerns: (Bond) -> Bool) {
    let cancelled = state.withLock { state in
      let concerned = state.calls.filter { concerns($0.value.bond) && $0.value.settledAs == nil }
      for id in concerned.keys { state.calls[id]?.settledAs = code }
      return concerned.values.map(\.cancel)
    }
    for cancel in cancelled { cancel() }
  }
}
