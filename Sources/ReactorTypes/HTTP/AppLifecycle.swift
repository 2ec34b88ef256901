/// Tells whether the app is in the foreground: in the background, waits between attempts stand still.
public protocol AppLifecycle: Sendable {
  /// Whether the app is in the foreground now.
  var isForeground: Bool { get }
  /// Each change of ``isForeground``.
  var changes: AsyncStream<Bool> { get }
}
