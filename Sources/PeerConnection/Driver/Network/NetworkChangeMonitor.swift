import CSockets
import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells a loop's owner that the machine's links, addresses or default routes have changed (netlink, on Linux).
///
/// It compares with the kernel's lists, so that what the kernel merely repeats is not taken for a change. They are asked
/// for with the first word of a change, or a second after the start: the first one belongs to setting up a connection.
/// Bursts (an interface that comes up says a dozen things) are reported once, 50 ms after the first word, so that the
/// addresses have settled when they are read.
package final class NetworkChangeMonitor: LoopMember {
  private static let settleTime = Interval.milliseconds(50)
  private static let listDelay = Interval.seconds(Int64(1))
  /// The kernel's largest datagram of a list.
  private static let datagramLimit = 32 << 10
  /// Datagrams read in one turn; the rest waits for the next.
  private static let turnLimit = 64
  /// RTM_GETLINK, RTM_GETADDR, RTM_GETROUTE: in this order, as the kernel gives one list at a time.
  private static let lists: [UInt16] = [18, 22, 26]

  private let context: LoopContext
  private let descriptor: Int32
  private let onChange: (NetworkPaths) -> Void
  private var paths = NetworkPaths()
  private lazy var bytes = [UInt8](repeating: 0, count: NetworkChangeMonitor.datagramLimit)
  private var pendingLists = NetworkChangeMonitor.lists
  /// When the first lists are asked for; nil: they were.
  private var listsDueAt: Instant?
  private var sequence: UInt32 = 0
  private var dueAt: Instant?
  /// How often the kernel has said something of its own accord, or what it said was lost.
  private(set) var changesTold = 0
  /// Something got lost, or this is the beginning: the lists' end counts as a change.
  private var reportsLists: Bool

  /// Whether the system has netlink.
  package static var isAvailable: Bool {
    let opened = reactor_netlink_open()
    if opened >= 0 { close(opened) }
    return opened >= 0
  }

  /// nil where the system has no netlink.
  ///
  /// - Parameters:
  ///   - reportsStart: whether `onChange` is called with the first lists too.
  ///   - onChange: called on the loop's thread.
  package init?(
    context: LoopContext, reportsStart: Bool = false, onChange: @escaping (NetworkPaths) -> Void
  ) {
    let opened = reactor_netlink_open()
    guard opened >= 0 else { return nil }
    descriptor = opened
    self.context = context
    self.onChange = onChange
    reportsLists = reportsStart
    context.add(self)
    context.watch(descriptor, for: self, readable: true, writable: false)
    if reportsStart { startLists() } else { listsDueAt = MonotonicClock.now() + Self.listDelay }
  }

  deinit {
    close(descriptor)
  }

  /// Stops watching. Must be called on the loop's thread, or the loop keeps the monitor.
  package func cancel() {
    context.unwatch(descriptor)
    context.remove(self)
  }

  private func startLists() {
    listsDueAt = nil
    pendingLists = NetworkChangeMonitor.lists
    requestList()
  }

  private func requestList() {
    sequence &+= 1
    if let kind = pendingLists.first { _ = reactor_netlink_list(descriptor, kind, sequence) }
  }

  package func ready(_ descriptor: Int32, readable: Bool, writable: Bool, failed: Bool) { readAll() }

  /// Reads what the kernel has said so far, without waiting for the loop to see it.
  func readAll() {
    for _ in 0..<NetworkChangeMonitor.turnLimit {
      let length = reactor_netlink_receive(descriptor, &bytes, bytes.count)
      if length == -Int64(ENOBUFS) {
        // Messages are lost: what they said is in the lists.
        changesTold += 1
        paths.removeAll()
        reportsLists = true
        startLists()
        continue
      }
      guard length > 0, let count = Int(exactly: length), count <= bytes.count else { return }
      let messages = NetlinkMessage.parse(bytes.span.bytes.clamped(0..<count))
      for message in messages { take(message) }
    }
  }

  private func take(_ message: NetlinkMessage) {
    if case .endOfList = message.content {
      guard !pendingLists.isEmpty else { return }
      pendingLists.removeFirst()
      requestList()
      if pendingLists.isEmpty, reportsLists {
        reportsLists = false
        report(after: .zero)
      }
      return
    }
    if !message.isListed { changesTold += 1 }
    if listsDueAt != nil { startLists() }
    let isChange = paths.apply(message)
    // What is told while lists come may stand in them already, and is news all the same.
    if !message.isListed, isChange || !pendingLists.isEmpty { report(after: NetworkChangeMonitor.settleTime) }
  }

  private func report(after wait: Interval) {
    // A list that is not whole would look like a network that is gone.
    guard pendingLists.isEmpty else {
      reportsLists = true
      return
    }
    dueAt = dueAt ?? MonotonicClock.now() + wait
  }

  package func service(at now: Instant) -> Instant? {
    if let due = listsDueAt, due <= now { startLists() }
    if let due = dueAt, due <= now {
      dueAt = nil
      onChange(paths)
    }
    return Optional.earliest(listsDueAt, dueAt)
  }
}
