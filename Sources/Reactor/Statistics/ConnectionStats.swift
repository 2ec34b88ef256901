/// A connection's figures at one moment. nil means not measured yet, never zero.
public struct ConnectionStats: Sendable, Hashable, Decodable {
  /// Round trip of the pair that carries the media, in milliseconds.
  public let rttMS: Double?
  /// Of the received video stream; without one, the worst of the received streams.
  public let jitterSeconds: Double?
  /// Since the beginning, 0…1: of the received video stream; without one, the worst of the received streams.
  public let packetLossRatio: Double?
  /// Everything that the pair carried since the previous call of `stats()`; nil on the first call, within 200 ms
  /// of the last, and before a pair is nominated.
  public let incomingBitrateBPS: Double?
  /// The same, outgoing.
  public let outgoingBitrateBPS: Double?
  /// nil: this SDK does not estimate it; the sender does.
  public let availableIncomingBitrateBPS: Double?
  /// The congestion controller's estimate.
  public let availableOutgoingBitrateBPS: Double?
  /// What the encoders aim at, summed; not what flows.
  public let targetBitrateBPS: Double?
  /// Of the received video stream.
  public let framesPerSecond: Double?
  /// Of the local candidate: `host`, `srflx`, `prflx` or `relay`.
  public let candidateType: String?
  /// How the relay is reached, when relayed: `udp`, `tcp` or `tls`.
  public let relayProtocol: String?
  /// See ``CandidatePair/state``.
  public let candidatePairState: String?
  /// Over all received streams.
  public let packetsReceived: Int
  /// Over all received streams; duplicates can make it negative (RFC 3550).
  public let packetsLost: Int
  /// Over all sent streams.
  public let packetsSent: Int
  /// Over all received streams.
  public let bytesReceived: Int
  /// Over all sent streams.
  public let bytesSent: Int
  /// Unix time in milliseconds.
  public let timestampMS: Double
  /// Received streams.
  public let inbound: [InboundStream]
  /// Sent streams.
  public let outbound: [OutboundStream]
  /// All candidate pairs.
  public let candidatePairs: [CandidatePair]

  init(
    rttMS: Double?, jitterSeconds: Double?, packetLossRatio: Double?, incomingBitrateBPS: Double?,
    outgoingBitrateBPS: Double?, availableOutgoingBitrateBPS: Double?, targetBitrateBPS: Double?,
    framesPerSecond: Double?, candidateType: String?, relayProtocol: String?, candidatePairState: String?,
    timestampMS: Double, inbound: [InboundStream], outbound: [OutboundStream], candidatePairs: [CandidatePair]
  ) {
    self.rttMS = rttMS
    self.jitterSeconds = jitterSeconds
    self.packetLossRatio = packetLossRatio
    self.incomingBitrateBPS = incomingBitrateBPS
    self.outgoingBitrateBPS = outgoingBitrateBPS
    availableIncomingBitrateBPS = nil
    self.availableOutgoingBitrateBPS = availableOutgoingBitrateBPS
    self.targetBitrateBPS = targetBitrateBPS
    self.framesPerSecond = framesPerSecond
    self.candidateType = candidateType
    self.relayProtocol = relayProtocol
    self.candidatePairState = candidatePairState
    packetsReceived = inbound.reduce(0) { $0 + $1.packetsReceived }
    packetsLost = inbound.reduce(0) { $0 + $1.packetsLost }
    packetsSent = outbound.reduce(0) { $0 + $1.packetsSent }
    bytesReceived = inbound.reduce(0) { $0 + $1.bytesReceived }
    bytesSent = outbound.reduce(0) { $0 + $1.bytesSent }
    self.timestampMS = timestampMS
    self.inbound = inbound
    self.outbound = outbound
    self.candidatePairs = candidatePairs
  }

  private enum CodingKeys: String, CodingKey {
    case rttMS = "rtt_ms"
    case jitterSeconds = "jitter_s"
    case packetLossRatio = "packet_loss_ratio"
    case incomingBitrateBPS = "incoming_bitrate_bps"
    case outgoingBitrateBPS = "outgoing_bitrate_bps"
    case availableIncomingBitrateBPS = "available_incoming_bitrate_bps"
    case availableOutgoingBitrateBPS = "available_outgoing_bitrate_bps"
    case targetBitrateBPS = "target_bitrate_bps"
    case framesPerSecond = "frames_per_second"
    case candidateType = "candidate_type"
    case relayProtocol = "relay_protocol"
    case candidatePairState = "candidate_pair_state"
    case packetsReceived = "packets_received"
    case packetsLost = "packets_lost"
    case packetsSent = "packets_sent"
    case bytesReceived = "bytes_received"
    case bytesSent = "bytes_sent"
    case timestampMS = "timestamp_ms"
    case inbound
    case outbound
    case candidatePairs = "candidate_pairs"
  }

  /// Decodes the form that the other SDKs print: snake case with units as suffixes.
  ///
  /// Throws ``ReactorError/decodeFailed`` naming the field that is missing or of another type.
  public init(from decoder: any Decoder) throws {
    self = try StatsDecoding.run {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      return ConnectionStats(decoded: try Decoded(values))
    }
  }

  // One memberwise step, so that the public initialiser can wrap the whole in one `catch`.
  private struct Decoded {
    let values: KeyedDecodingContainer<CodingKeys>
    let numbers: [CodingKeys: Double]
    let counts: [CodingKeys: Int]
    let texts: [CodingKeys: String]
    let inbound: [InboundStream]
    let outbound: [OutboundStream]
    let pairs: [CandidatePair]

    init(_ values: KeyedDecodingContainer<CodingKeys>) throws {
      self.values = values
      var numbers: [CodingKeys: Double] = [.timestampMS: try values.decode(Double.self, forKey: .timestampMS)]
      for key in [
        CodingKeys.rttMS, .jitterSeconds, .packetLossRatio, .incomingBitrateBPS, .outgoingBitrateBPS,
        .availableIncomingBitrateBPS, .availableOutgoingBitrateBPS, .targetBitrateBPS, .framesPerSecond,
      ] {
        numbers[key] = try values.decodeIfPresent(Double.self, forKey: key)
      }
      self.numbers = numbers
      var counts: [CodingKeys: Int] = [:]
      for key in [
        CodingKeys.packetsReceived, .packetsLost, .packetsSent, .bytesReceived, .bytesSent,
      ] {
        counts[key] = try values.decode(Int.self, forKey: key)
      }
      self.counts = counts
      var texts: [CodingKeys: String] = [:]
      for key in [CodingKeys.candidateType, .relayProtocol, .candidatePairState] {
        texts[key] = try values.decodeIfPresent(String.self, forKey: key)
      }
      self.texts = texts
      inbound = try values.decode([InboundStream].self, forKey: .inbound)
      outbound = try values.decode([OutboundStream].self, forKey: .outbound)
      pairs = try values.decode([CandidatePair].self, forKey: .candidatePairs)
    }
  }

  private init(decoded: Decoded) {
    rttMS = decoded.numbers[.rttMS]
    jitterSeconds = decoded.numbers[.jitterSeconds]
    packetLossRatio = decoded.numbers[.packetLossRatio]
    incomingBitrateBPS = decoded.numbers[.incomingBitrateBPS]
    outgoingBitrateBPS = decoded.numbers[.outgoingBitrateBPS]
    availableIncomingBitrateBPS = decoded.numbers[.availableIncomingBitrateBPS]
    availableOutgoingBitrateBPS = decoded.numbers[.availableOutgoingBitrateBPS]
    targetBitrateBPS = decoded.numbers[.targetBitrateBPS]
    framesPerSecond = decoded.numbers[.framesPerSecond]
    candidateType = decoded.texts[.candidateType]
    relayProtocol = decoded.texts[.relayProtocol]
    candidatePairState = decoded.texts[.candidatePairState]
    packetsReceived = decoded.counts[.packetsReceived] ?? 0
    packetsLost = decoded.counts[.packetsLost] ?? 0
    packetsSent = decoded.counts[.packetsSent] ?? 0
    bytesReceived = decoded.counts[.bytesReceived] ?? 0
    bytesSent = decoded.counts[.bytesSent] ?? 0
    timestampMS = decoded.numbers[.timestampMS] ?? 0
    inbound = decoded.inbound
    outbound = decoded.outbound
    candidatePairs = decoded.pairs
  }
}
