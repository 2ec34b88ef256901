/// An RTP header extension that both sides named under one number.
package struct NegotiatedHeaderExtension: Hashable, Sendable {
  /// 1 to 255; above 14 it needs two-byte headers.
  package var id: UInt8
  package var uri: String
  /// Which ways it may be used, seen from this side; within the section's direction.
  package var direction: MediaDirection
}
