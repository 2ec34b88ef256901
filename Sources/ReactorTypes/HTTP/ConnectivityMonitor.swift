/// Tells whether the device is online, so that retries wait for the network instead of failing against it.
public protocol ConnectivityMonitor: Sendable {
  /// Whether a request has a chance now.
  var isOnline: Bool { get }
  /// Each change of ``isOnline``.
  var changes: AsyncStream<Bool> { get }
}
