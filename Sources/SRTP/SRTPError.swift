/// Why a packet could not be protected or unprotected. None ends the session.
package enum SRTPError: Error, Hashable, Sendable {
  /// The tag is wrong: another key, a changed packet, or a wrong estimate of the rollover counter.
  case authenticationFailed
  /// The packet's index was seen before; when sending, it was used before.
  case replayed
  /// The packet's index lies before the replay window.
  case tooOld
  /// Not an RTP or RTCP packet, or one whose own lengths contradict each other.
  case malformed
  /// The buffer has no room for the tag.
  case noRoom
  /// More SSRCs than ``SRTPSession/sourceLimit`` in one direction.
  case tooManySources
  /// The key has protected as many packets as it may (2^48, RFC 3711 section 9.2).
  case keyExpired
  /// libsrtp refused; `status` is its code.
  case unavailable(status: UInt32)
}
