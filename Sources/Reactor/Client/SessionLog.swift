import ReactorTypes
import Synchronization
import WireFormat

/// What happened to a client lately, for the app's log handler and for bug reports. Holds no secrets: texts are
/// redacted where they are made, and once more here.
final class SessionLog: Sendable {
  /// Lines kept.
  private static let limit = 256

  private struct State {
    var lines: [(at: Instant, text: String)] = []
  }

  private let state = Mutex(State())
  private let origin = MonotonicClock.now()

  func record(_ text: String, level: ReactorLog.Level = .info) {
    let now = MonotonicClock.now()
    let text = Redaction.redact(text)
    state.withLock { state in
      if state.lines.count >= SessionLog.limit { state.lines.removeFirst() }
      state.lines.append((now, text))
    }
    ReactorLog.emit(ReactorLog.Entry(level: level, message: text))
  }

  /// The kept lines with the milliseconds since the client was made.
  var dump: String {
    state.withLock { state in
      state.lines.map { line in
        "\(Int64((line.at - origin).inMilliseconds)) ms  \(line.text)"
      }.joined(separator: "\n")
    }
  }
}
