extension ConnectionStats {
  /// One sent stream.
  public struct OutboundStream: Sendable, Hashable, Decodable {
    /// The stream's source.
    public let ssrc: UInt32
    /// `video` or `audio`.
    public let kind: String?
    /// RTP packets, retransmissions not counted.
    public let packetsSent: Int
    /// Packets sent again at the peer's request.
    public let retransmittedPacketsSent: Int
    /// Bytes of RTP payload.
    public let bytesSent: Int
    /// What the encoder aims at.
    public let targetBitrateBPS: Double
    /// Encoded frames a second, lately.
    public let framesPerSecond: Double
    /// Frames that went out.
    public let framesSent: Int
    /// Of the last sent frame, in pixels.
    public let frameWidth: Int
    /// Of the last sent frame, in pixels.
    public let frameHeight: Int
    /// From the newest receiver report; 0 before one.
    public let roundTripTimeSeconds: Double
    /// Sum of all measured round trips.
    public let totalRoundTripTimeSeconds: Double
    /// From the newest receiver report, 0…1.
    public let fractionLost: Double
    /// The peer's count.
    public let packetsLost: Int

    init(
      ssrc: UInt32, kind: String?, packetsSent: Int, retransmittedPacketsSent: Int, bytesSent: Int,
      targetBitrateBPS: Double, framesPerSecond: Double, framesSent: Int, frameWidth: Int, frameHeight: Int,
      roundTripTimeSeconds: Double, totalRoundTripTimeSeconds: Double, fractionLost: Double, packetsLost: Int
    ) {
      self.ssrc = ssrc
      self.kind = kind
      self.packetsSent = packetsSent
      self.retransmittedPacketsSent = retransmittedPacketsSent
      self.bytesSent = bytesSent
      self.targetBitrateBPS = targetBitrateBPS
      self.framesPerSecond = framesPerSecond
      self.framesSent = framesSent
      self.frameWidth = frameWidth
      self.frameHeight = frameHeight
      self.roundTripTimeSeconds = roundTripTimeSeconds
      self.totalRoundTripTimeSeconds = totalRoundTripTimeSeconds
      self.fractionLost = fractionLost
      self.packetsLost = packetsLost
    }

    private enum CodingKeys: String, CodingKey {
      case ssrc
      case kind
      case packetsSent = "packets_sent"
      case retransmittedPacketsSent = "retransmitted_packets_sent"
      case bytesSent = "bytes_sent"
      case targetBitrateBPS = "target_bitrate_bps"
      case framesPerSecond = "frames_per_second"
      case framesSent = "frames_sent"
      case frameWidth = "frame_width"
      case frameHeight = "frame_height"
      case roundTripTimeSeconds = "round_trip_time_s"
      case totalRoundTripTimeSeconds = "total_round_trip_time_s"
      case fractionLost = "fraction_lost"
      case packetsLost = "packets_lost"
    }

    /// Decodes snake case with units as suffixes. Throws ``ReactorError/decodeFailed``.
    public init(from decoder: any Decoder) throws {
      self = try StatsDecoding.run {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        return OutboundStream(
          ssrc: try values.decode(UInt32.self, forKey: .ssrc),
          kind: try values.decodeIfPresent(String.self, forKey: .kind),
          packetsSent: try values.decode(Int.self, forKey: .packetsSent),
          retransmittedPacketsSent: try values.decode(Int.self, forKey: .retransmittedPacketsSent),
          bytesSent: try values.decode(Int.self, forKey: .bytesSent),
          targetBitrateBPS: try values.decode(Double.self, forKey: .targetBitrateBPS),
          framesPerSecond: try values.decode(Double.self, forKey: .framesPerSecond),
          framesSent: try values.decode(Int.self, forKey: .framesSent),
          frameWidth: try values.decode(Int.self, forKey: .frameWidth),
          frameHeight: try values.decode(Int.self, forKey: .frameHeight),
          roundTripTimeSeconds: try values.decode(Double.self, forKey: .roundTripTimeSeconds),
          totalRoundTripTimeSeconds: try values.decode(Double.self, forKey: .totalRoundTripTimeSeconds),
          fractionLost: try values.decode(Double.self, forKey: .fractionLost),
          packetsLost: try values.decode(Int.self, forKey: .packetsLost))
      }
    }
  }
}
