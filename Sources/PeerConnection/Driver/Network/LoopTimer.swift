import WireFormat

/// Calls back on the loop's thread when it is due: what a machine that lives there needs of the loop.
package final class LoopTimer: LoopMember {
  private let onService: (Instant) -> Instant?

  /// - Parameter onService: does what is due and says when it wants to be called again.
  package init(onService: @escaping (Instant) -> Instant?) {
    self.onService = onService
  }

  package func ready(_ descriptor: Int32, readable: Bool, writable: Bool, failed: Bool) {}

  package func service(at now: Instant) -> Instant? { onService(now) }
}
