import WireFormat

/// What one association is told before it starts. The defaults are those of a data channel over DTLS.
package struct SCTPConfiguration: Sendable {
  /// `a=sctp-port` of this side.
  package var localPort: UInt16 = 5000
  /// `a=sctp-port` of the other side.
  package var remotePort: UInt16 = 5000

  /// The largest SCTP packet in bytes, header included: the payload of one DTLS record. 1200 bytes of UDP
  /// payload pass everywhere; a DTLS 1.2 GCM record takes 37 of them.
  package var mtu = 1152

  /// The largest message accepted, as declared by `a=max-message-size`; 0 means `receiveBufferSize`.
  package var localMaxMessageSize = 262_144

  /// The advertised receive window. RFC 9260 asks for 1500 bytes or more; 100 ms at 400 Mbit/s are 5 MiB,
  /// which is also what libwebrtc advertises. Raised to `localMaxMessageSize` plus a margin when smaller.
  package var receiveBufferSize = 5 * 1024 * 1024

  /// The most bytes queued for sending over all streams; a `send` over it throws.
  package var sendBufferSize = 192 * 1024 * 1024

  /// Streams in either direction; a stream identifier from here on is refused.
  package var maximumStreams: UInt16 = 1024

  /// Offer message interleaving (I-DATA, RFC 8260).
  package var offersInterleaving = true

  /// Offer to do without the CRC-32c, which DTLS makes redundant (RFC 9653).
  package var offersZeroChecksum = true

  /// RTO before the first measurement. RFC 9260 has 1 s; a data channel starts on a path whose ICE checks
  /// were just answered, so half of that is ample.
  package var initialRTO: Interval = .milliseconds(Int64(500))

  /// How far the RTO lies above the smoothed round trip at least. RFC 9260 has 1 s for the whole of it, meant for
  /// delayed SACKs of 200 ms and coarse timers; a lost command then costs a second. 200 ms still covers the longest
  /// delayed SACK that the RFC allows. A margin, not a least RTO: on a long path with a steady round trip the
  /// variation falls to nothing, and the first queue that builds up would run into the timer.
  package var minimumRTOMargin: Interval = .milliseconds(Int64(200))

  /// RFC 9260 has 60 s. After an outage data must flow again within seconds; ICE decides what is dead.
  package var maximumRTO: Interval = .seconds(Int64(4))

  /// Consecutive unanswered retransmissions and heartbeats before the association fails: about 50 s, longer
  /// than ICE consent lasts, so that ICE is the one to decide.
  package var maximumRetransmissions = 16

  /// Unanswered INIT or COOKIE ECHO chunks before the handshake fails.
  package var maximumInitRetransmissions = 10

  package var heartbeatInterval: Interval = .seconds(Int64(30))
  package var cookieLifetime: Interval = .seconds(Int64(60))

  /// Delayed SACK. RFC 9260 allows up to 500 ms; loss detection at the other end waits for it.
  package var sackDelay: Interval = .milliseconds(Int64(20))

  /// The initial congestion window in packets: RFC 6928's 10, as libwebrtc's SCTP uses.
  package var initialWindowPackets = 10

  package init() {}
}
