import WireFormat

/// How fast one connection may send. Fed with what was sent and what the peer reports, it says a target and
/// asks for probes.
///
/// Like every machine here: one input, then read ``targetBitrate``, drain ``nextProbe()`` and re-arm
/// ``nextTimeout()``.
package protocol BandwidthEstimator: AnyObject {
  /// What the media may use in total, in bits per second.
  var targetBitrate: Int { get }
  /// The rate at which a backlog may leave (bursts are shorter than at ``targetBitrate``).
  var pacingRate: Int { get }

  func setBounds(_ bounds: BitrateBounds, restart: Bool, at now: Instant)

  /// What the active tracks could use at most. Probes stop at twice this; 0 stops all probing.
  func setDemand(_ bitsPerSecond: Int, at now: Instant)

  /// A packet that carries a transport-wide sequence number, or any media packet where none is negotiated,
  /// has left.
  func handle(sentBytes: Int, at now: Instant)

  /// Transport-wide feedback, oldest packet first.
  func handle(feedback: [PacketFeedback], at now: Instant)

  /// The share of packets, 0 to 1, that a receiver report calls lost since the last one.
  func handle(fractionLost: Double, at now: Instant)

  /// Receiver estimated maximum bitrate (REMB), bits per second.
  func handle(receiverEstimate: Int, at now: Instant)

  func handle(roundTripTime: Interval, at now: Instant)

  /// The next probe to send, until nil.
  func nextProbe() -> ProbeRequest?

  func nextTimeout() -> Instant?
  func handleTimeout(at now: Instant)
}
