/// What a loop knows of the machine's network, for all connections that live on it: the addresses, and word of changes.
///
/// One netlink socket serves all. The addresses are read again only once the kernel has said that something changed,
/// or each time where there is no netlink.
final class LoopNetwork {
  private unowned let context: LoopContext
  private var monitor: NetworkChangeMonitor?
  private var known: [NetworkInterfaceAddress]?
  /// The monitor's count of what it was told when `known` was read.
  private var knownAt = 0
  private var listeners: [ObjectIdentifier: () -> Void] = [:]

  init(context: LoopContext) {
    self.context = context
    monitor = NetworkChangeMonitor(context: context) { [weak self] _ in
      guard let self else { return }
      for listener in listeners.values { listener() }
    }
  }

  /// Calls `onChange` on the loop's thread after each change, until `owner` leaves.
  func listen(_ owner: AnyObject, onChange: @escaping () -> Void) {
    listeners[ObjectIdentifier(owner)] = onChange
  }

  func leave(_ owner: AnyObject) {
    listeners[ObjectIdentifier(owner)] = nil
  }

  /// The addresses of all interfaces that are up; none when the system does not tell.
  func addresses() -> [NetworkInterfaceAddress] {
    // What the kernel has said and nobody has read yet counts.
    monitor?.readAll()
    if let known, let monitor, monitor.changesTold == knownAt { return known }
    knownAt = monitor?.changesTold ?? 0
    known = try? NetworkInterfaceAddress.current()
    return known ?? []
  }

  func stop() {
    monitor?.cancel()
    monitor = nil
    listeners.removeAll()
  }
}
