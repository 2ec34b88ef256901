import PeerConnection
import WireFormat

/// Calls back on the network thread when it is due: what a machine that lives there needs of the loop.
final class LinkTimer: LoopMember {
  private let onService: (Instant) -> Instant?

  /// - Parameter onService: does what is due and says when it wants to be called again.
  init(onService: @escaping (Instant) -> Instant?) {
    self.onService = onService
  }

  func ready(_ descriptor: Int32, readable: Bool, writable: Bool, failed: Bool) {}

  func service(at now: Instant) -> Instant? { onService(now) }
}
