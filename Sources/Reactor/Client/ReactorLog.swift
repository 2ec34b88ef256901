import Synchronization

/// The SDK's log: quiet until the app sets a handler.
public enum ReactorLog {
  /// How much an entry matters.
  public enum Level: Int, Sendable, Comparable, CaseIterable {
    /// Details for a bug report.
    case debug
    /// What normally happens.
    case info
    /// What was worked around.
    case warning
    /// What failed.
    case error

    /// By severity.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// One line of the log. Never holds keys, tokens or passwords.
  public struct Entry: Sendable {
    /// How much it matters.
    public let level: Level
    /// One line of text.
    public let message: String
  }

  private static let handler = Mutex<(@Sendable (Entry) -> Void)?>(nil)

  /// Sets who gets the entries of all clients of this process; nil: nobody. Called on any thread, and must not
  /// block.
  public static func setHandler(_ new: (@Sendable (Entry) -> Void)?) {
    handler.withLock { $0 = new }
  }

  static func emit(_ entry: Entry) {
    handler.withLock { $0 }?(entry)
  }
}
