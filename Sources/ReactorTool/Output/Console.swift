import Foundation
import Reactor
import Synchronization

/// Standard output in three manners: JSON lines, a terminal with one line that updates, or plain lines.
package final class Console: Sendable {
  private struct State {
    /// Lines that the next update draws over.
    var liveLines = 0
    var lastPlainUpdate: ContinuousClock.Instant?
  }

  /// Whether every line is a JSON object.
  let isJSON: Bool
  /// Whether lines can be drawn over.
  let isTerminal: Bool
  private let state = Mutex(State())
  private let output: @Sendable (String) -> Void
  private let errors: @Sendable (String) -> Void

  init(isJSON: Bool) {
    self.isJSON = isJSON
    isTerminal = !isJSON && isatty(STDOUT_FILENO) == 1
    output = { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) }
    errors = { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) }
  }

  /// A console that is no terminal: what would go to standard output and standard error goes there.
  package init(
    isJSON: Bool, output: @escaping @Sendable (String) -> Void, errors: @escaping @Sendable (String) -> Void
  ) {
    self.isJSON = isJSON
    isTerminal = false
    self.output = output
    self.errors = errors
  }

  /// Whether the terminal says that it shows 24-bit colour.
  var hasTrueColor: Bool {
    guard isTerminal else { return false }
    let named = ProcessInfo.processInfo.environment["COLORTERM"] ?? ""
    return named == "truecolor" || named == "24bit"
  }

  /// The terminal's size in cells; 80 × 24 when it does not tell.
  var size: (columns: Int, rows: Int) {
    var window = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(window.ws_col), Int(window.ws_row))
  }

  /// A line that stays.
  func line(_ text: String) {
    state.withLock { state in
      let clear = state.liveLines > 0 ? Console.erase(state.liveLines) : ""
      state.liveLines = 0
      output(clear + text + "\n")
    }
  }

  /// Something that happened: `words` for people, or a JSON object with the name and the fields.
  func event(_ name: String, _ fields: [String: JSONValue] = [:], words: String) {
    guard isJSON else { return line(words) }
    line(JSONText.compact(.object(fields.merging(["event": .string(name)]) { _, name in name })))
  }

  /// The state of things: drawn over the last one on a terminal; elsewhere a line of its own, once a second.
  func update(_ text: String, picture: [String] = []) {
    guard !isJSON else { return }
    state.withLock { state in
      if isTerminal {
        let columns = size.columns
        let cut = text.count > columns - 1 ? String(text.prefix(max(1, columns - 1))) : text
        let clear = state.liveLines > 0 ? Console.erase(state.liveLines) : ""
        state.liveLines = picture.count + 1
        output(clear + (picture + [cut]).joined(separator: "\n") + "\n")
      } else {
        let now = ContinuousClock.now
        if let last = state.lastPlainUpdate, now - last < .milliseconds(950) { return }
        state.lastPlainUpdate = now
        output(text + "\n")
      }
    }
  }

  /// The last update stays where it is.
  func settle() {
    state.withLock { $0.liveLines = 0 }
  }

  /// A line on standard error.
  func complain(_ text: String) {
    errors(text + "\n")
  }

  /// Why a command failed, and what may help.
  func failure(_ error: any Error, in command: String) {
    let known = error as? ReactorError
    if isJSON {
      event(
        "error",
        [
          "code": .field(known?.code.rawValue), "message": .string(known?.message ?? "\(error)"),
          "recoverable": .bool(known?.recoverable ?? false),
        ], words: "")
    }
    complain("reactor \(command): \(error)")
    if let known, let hint = Console.hint(known.code) { complain(hint) }
  }

  private static func hint(_ code: ReactorError.Code) -> String? {
    switch code {
    case .unauthorized:
      "The platform does not take the credentials. Set REACTOR_API_KEY or REACTOR_JWT, or use --local."
    case .networkError:
      "Nothing answered there. Is the address right? For a runtime of your own: reactor serve, then --local."
    case .requestTimeout, .transportError:
      "HTTP works but the media path may not. `reactor doctor` checks it."
    case .notFound: "Check the name of the model."
    case .recorderDisabled: "This session is not recorded: --y4m keeps its pictures all the same."
    default: nil
    }
  }

  private static func erase(_ lines: Int) -> String { "\u{1B}[\(lines)A\r\u{1B}[0J" }
}
