import CSockets
import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells a loop's owner that the machine's addresses or links have changed (netlink, on Linux).
///
/// Bursts (an interface that comes up says a dozen things) are reported once, 50 ms after the first word, so
/// that the addresses have settled when they are read.
package final class NetworkChangeMonitor: LoopMember {
  private static let settleTime = Interval.milliseconds(50)

  private let context: LoopContext
  private let descriptor: Int32
  private let onChange: () -> Void
  private var dueAt: Instant?

  /// nil where the system has no netlink.
  package init?(context: LoopContext, onChange: @escaping () -> Void) {
    let opened = reactor_netlink_open()
    guard opened >= 0 else { return nil }
    descriptor = opened
    self.context = context
    self.onChange = onChange
    context.add(self)
    context.watch(descriptor, for: self, readable: true, writable: false)
  }

  deinit {
    close(descriptor)
  }

  /// Stops watching. Must be called on the loop's thread, or the loop keeps the monitor.
  package func cancel() {
    context.unwatch(descriptor)
    context.remove(self)
  }

  package func ready(_ descriptor: Int32, readable: Bool, writable: Bool, failed: Bool) {
    if reactor_netlink_drain(descriptor) == 1, dueAt == nil {
      dueAt = MonotonicClock.now() + NetworkChangeMonitor.settleTime
    }
  }

  package func service(at now: Instant) -> Instant? {
    guard let due = dueAt else { return nil }
    guard due <= now else { return due }
    dueAt = nil
    onChange()
    return nil
  }
}
