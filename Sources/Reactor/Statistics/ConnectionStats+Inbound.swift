extension ConnectionStats {
  /// One received stream.
  public struct InboundStream: Sendable, Hashable, Decodable {
    /// The stream's source.
    public let ssrc: UInt32
    /// `video` or `audio`.
    public let kind: String?
    /// RTP packets, retransmissions not counted.
    public let packetsReceived: Int
    /// Signed: duplicates can make it negative.
    public let packetsLost: Int
    /// Bytes of RTP payload.
    public let bytesReceived: Int
    /// Interarrival jitter (RFC 3550).
    public let jitterSeconds: Double
    /// Packets asked for again.
    public let nackCount: Int
    /// Time spent in the decoder.
    public let totalDecodeTimeSeconds: Double
    /// Decoded frames a second, lately.
    public let framesPerSecond: Double
    /// Frames that went through the decoder.
    public let framesDecoded: Int
    /// Frames that never reached a handler.
    public let framesDropped: Int
    /// Of the last decoded frame, in pixels.
    public let frameWidth: Int
    /// Of the last decoded frame, in pixels.
    public let frameHeight: Int

    init(
      ssrc: UInt32, kind: String?, packetsReceived: Int, packetsLost: Int, bytesReceived: Int,
      jitterSeconds: Double, nackCount: Int, totalDecodeTimeSeconds: Double = 0, framesPerSecond: Double = 0,
      framesDecoded: Int = 0, framesDropped: Int = 0, frameWidth: Int = 0, frameHeight: Int = 0
    ) {
      self.ssrc = ssrc
      self.kind = kind
      self.packetsReceived = packetsReceived
      self.packetsLost = packetsLost
      self.bytesReceived = bytesReceived
      self.jitterSeconds = jitterSeconds
      self.nackCount = nackCount
      self.totalDecodeTimeSeconds = totalDecodeTimeSeconds
      self.framesPerSecond = framesPerSecond
      self.framesDecoded = framesDecoded
      self.framesDropped = framesDropped
      self.frameWidth = frameWidth
      self.frameHeight = frameHeight
    }

    private enum CodingKeys: String, CodingKey {
      case ssrc
      case kind
      case packetsReceived = "packets_received"
      case packetsLost = "packets_lost"
      case bytesReceived = "bytes_received"
      case jitterSeconds = "jitter_s"
      case nackCount = "nack_count"
      case totalDecodeTimeSeconds = "total_decode_time_s"
      case framesPerSecond = "frames_per_second"
      case framesDecoded = "frames_decoded"
      case framesDropped = "frames_dropped"
      case frameWidth = "frame_width"
      case frameHeight = "frame_height"
    }

    /// Decodes snake case with units as suffixes. Throws ``ReactorError/decodeFailed``.
    public init(from decoder: any Decoder) throws {
      self = try StatsDecoding.run {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        return InboundStream(
          ssrc: try values.decode(UInt32.self, forKey: .ssrc),
          kind: try values.decodeIfPresent(String.self, forKey: .kind),
          packetsReceived: try values.decode(Int.self, forKey: .packetsReceived),
          packetsLost: try values.decode(Int.self, forKey: .packetsLost),
          bytesReceived: try values.decode(Int.self, forKey: .bytesReceived),
          jitterSeconds: try values.decode(Double.self, forKey: .jitterSeconds),
          nackCount: try values.decode(Int.self, forKey: .nackCount),
          totalDecodeTimeSeconds: try values.decode(Double.self, forKey: .totalDecodeTimeSeconds),
          framesPerSecond: try values.decode(Double.self, forKey: .framesPerSecond),
          framesDecoded: try values.decode(Int.self, forKey: .framesDecoded),
          framesDropped: try values.decode(Int.self, forKey: .framesDropped),
          frameWidth: try values.decode(Int.self, forKey: .frameWidth),
          frameHeight: try values.decode(Int.self, forKey: .frameHeight))
      }
    }
  }
}
