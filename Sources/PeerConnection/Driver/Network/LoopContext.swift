import CSockets
import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What lives on a network loop: fed when its descriptors are ready, and serviced after every wake-up.
package protocol LoopMember: AnyObject {
  /// A descriptor that it watches is ready.
  func ready(_ descriptor: Int32, readable: Bool, writable: Bool, failed: Bool)

  /// Handles what is due, sends what waits, and says when it wants to be called again.
  func service(at now: Instant) -> Instant?
}

/// The loop's own state. Belongs to the loop's thread.
package final class LoopContext {
  private struct Watch {
    let descriptor: Int32
    weak var member: (any LoopMember)?
  }

  private let epoll: Int32
  private let timer: Int32
  private var isUnsettled = false
  private let wakeDescriptor: Int32
  private var watches: [UInt64: Watch] = [:]
  private var tokens: [Int32: UInt64] = [:]
  private var nextToken: UInt64 = 2
  private var members: [ObjectIdentifier: any LoopMember] = [:]
  private var armed: Instant?
  private var events = [reactor_event](repeating: reactor_event(), count: 64)

  /// Buffers and receive memory that all members of the loop share.
  package let pool = PacketPool(limit: 2048)
  let receiveBatch: ReceiveBatch

  private var knownNetwork: LoopNetwork?

  /// The machine's network, as far as the loop's members ask for it; watched from the first time on.
  var network: LoopNetwork {
    if let knownNetwork { return knownNetwork }
    let made = LoopNetwork(context: self)
    knownNetwork = made
    return made
  }

  private static let wakeToken: UInt64 = 0
  private static let timerToken: UInt64 = 1

  init(wakeDescriptor: Int32) throws(SocketError) {
    self.wakeDescriptor = wakeDescriptor
    guard let batch = ReceiveBatch(capacity: 32) else {
      throw SocketError(operation: "allocate receive buffers", code: ENOMEM)
    }
    receiveBatch = batch
    epoll = try SocketError.check(reactor_epoll_create(), "epoll_create1")
    do {
      timer = try SocketError.check(reactor_timerfd_create(), "timerfd_create")
    } catch {
      close(epoll)
      throw error
    }
    _ = reactor_epoll_watch(epoll, wakeDescriptor, LoopContext.wakeToken, 1, 0)
    _ = reactor_epoll_watch(epoll, timer, LoopContext.timerToken, 1, 0)
  }

  deinit {
    close(timer)
    close(epoll)
  }

  /// From now on `member` is serviced at each turn of the loop, which holds it.
  package func add(_ member: any LoopMember) {
    members[ObjectIdentifier(member)] = member
  }

  /// Forgets `member`; its descriptors must be unwatched by itself.
  package func remove(_ member: any LoopMember) {
    members[ObjectIdentifier(member)] = nil
  }

  func removeAll() {
    knownNetwork?.stop()
    knownNetwork = nil
    members.removeAll()
    watches.removeAll()
  }

  /// Watches `descriptor` for `member`; called again, changes what is waited for.
  package func watch(_ descriptor: Int32, for member: any LoopMember, readable: Bool, writable: Bool) {
    let token: UInt64
    if let known = tokens[descriptor] {
      token = known
    } else {
      token = nextToken
      nextToken += 1
      tokens[descriptor] = token
    }
    watches[token] = Watch(descriptor: descriptor, member: member)
    _ = reactor_epoll_watch(epoll, descriptor, token, readable ? 1 : 0, writable ? 1 : 0)
  }

  /// Must precede closing the descriptor: its number may be reused at once.
  package func unwatch(_ descriptor: Int32) {
    guard let token = tokens.removeValue(forKey: descriptor) else { return }
    watches[token] = nil
    _ = reactor_epoll_unwatch(epoll, descriptor)
  }

  /// A member gave another one work in its turn: everybody gets a turn again before the loop sleeps.
  package func serviceAgain() { isUnsettled = true }

  /// Lets every member do what is due and arms the timer for the earliest next one.
  func serviceMembers() {
    var earliest: Instant?
    repeat {
      isUnsettled = false
      earliest = nil
      for member in members.values {
        earliest = Optional.earliest(earliest, member.service(at: MonotonicClock.now()))
      }
    } while isUnsettled
    guard earliest != armed else { return }
    armed = earliest
    // A moment in the past must still fire: 1 is the earliest that does not disarm.
    _ = reactor_timerfd_set(timer, earliest.map { max(1, $0.nanoseconds) } ?? 0)
  }

  /// Sleeps until something happens and hands it to the members.
  func wait() {
    let count = reactor_epoll_wait(epoll, &events, Int32(events.count))
    guard count > 0 else { return }
    for index in 0..<Int(count) {
      let event = events[index]
      switch event.token {
      case LoopContext.wakeToken: _ = reactor_eventfd_clear(wakeDescriptor)
      case LoopContext.timerToken:
        _ = reactor_timerfd_clear(timer)
        armed = nil
      default:
        // A handler earlier in this batch may have closed it: then its token is gone.
        guard let watch = watches[event.token] else { continue }
        watch.member?.ready(
          watch.descriptor, readable: event.readable != 0, writable: event.writable != 0,
          failed: event.failed != 0)
      }
    }
  }
}
