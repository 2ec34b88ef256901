import WireFormat

/// The 96 bits that tie a response to its request (RFC 8489 section 6).
package struct STUNTransactionID: Hashable, Sendable {
  package let high: UInt32
  package let low: UInt64

  package init(high: UInt32, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A fresh one; it must not be guessable, as an unauthenticated response is only known by it.
  package init(random: inout RandomSource) {
    high = random.uint32()
    low = random.next()
  }
}
