extension ConnectionStats {
  /// One pair of candidates. A pair stays nominated after it failed: select by both.
  public struct CandidatePair: Sendable, Hashable, Decodable {
    /// The newest measured round trip; 0 before one.
    public let currentRoundTripTimeSeconds: Double
    /// Sum of all measured round trips.
    public let totalRoundTripTimeSeconds: Double
    /// RFC 8445 section 6.1.2.3.
    public let priority: UInt64
    /// `succeeded`, `waiting`, `in-progress`, `failed` or `cancelled`.
    public let state: String
    /// Whether it was nominated.
    public let nominated: Bool
    /// Whether it carries data now.
    public let writable: Bool
    /// The congestion controller's estimate on the pair in use, 0 on others.
    public let availableOutgoingBitrateBPS: Double
    /// 0: this SDK does not estimate it.
    public let availableIncomingBitrateBPS: Double
    /// All bytes that it carried.
    public let bytesSent: Int
    /// All bytes that it carried.
    public let bytesReceived: Int
    /// All datagrams that it carried.
    public let packetsSent: Int
    /// All datagrams that it carried.
    public let packetsReceived: Int
    /// `host`, `srflx`, `prflx` or `relay`.
    public let localCandidateType: String?
    /// `udp`, `tcp` or `tls`, when relayed.
    public let localRelayProtocol: String?

    init(
      currentRoundTripTimeSeconds: Double, totalRoundTripTimeSeconds: Double, priority: UInt64, state: String,
      nominated: Bool, writable: Bool, availableOutgoingBitrateBPS: Double,
      availableIncomingBitrateBPS: Double = 0, bytesSent: Int, bytesReceived: Int, packetsSent: Int,
      packetsReceived: Int, localCandidateType: String?, localRelayProtocol: String?
    ) {
      self.currentRoundTripTimeSeconds = currentRoundTripTimeSeconds
      self.totalRoundTripTimeSeconds = totalRoundTripTimeSeconds
      self.priority = priority
      self.state = state
      self.nominated = nominated
      self.writable = writable
      self.availableOutgoingBitrateBPS = availableOutgoingBitrateBPS
      self.availableIncomingBitrateBPS = availableIncomingBitrateBPS
      self.bytesSent = bytesSent
      self.bytesReceived = bytesReceived
      self.packetsSent = packetsSent
      self.packetsReceived = packetsReceived
      self.localCandidateType = localCandidateType
      self.localRelayProtocol = localRelayProtocol
    }

    private enum CodingKeys: String, CodingKey {
      case currentRoundTripTimeSeconds = "current_round_trip_time_s"
      case totalRoundTripTimeSeconds = "total_round_trip_time_s"
      case priority
      case state
      case nominated
      case writable
      case availableOutgoingBitrateBPS = "available_outgoing_bitrate_bps"
      case availableIncomingBitrateBPS = "available_incoming_bitrate_bps"
      case bytesSent = "bytes_sent"
      case bytesReceived = "bytes_received"
      case packetsSent = "packets_sent"
      case packetsReceived = "packets_received"
      case localCandidateType = "local_candidate_type"
      case localRelayProtocol = "local_relay_protocol"
    }

    /// Decodes snake case with units as suffixes. Throws ``ReactorError/decodeFailed``.
    public init(from decoder: any Decoder) throws {
      self = try StatsDecoding.run {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        return CandidatePair(
          currentRoundTripTimeSeconds: try values.decode(Double.self, forKey: .currentRoundTripTimeSeconds),
          totalRoundTripTimeSeconds: try values.decode(Double.self, forKey: .totalRoundTripTimeSeconds),
          priority: try values.decode(UInt64.self, forKey: .priority),
          state: try values.decode(String.self, forKey: .state),
          nominated: try values.decode(Bool.self, forKey: .nominated),
          writable: try values.decode(Bool.self, forKey: .writable),
          availableOutgoingBitrateBPS: try values.decode(Double.self, forKey: .availableOutgoingBitrateBPS),
          availableIncomingBitrateBPS: try values.decode(Double.self, forKey: .availableIncomingBitrateBPS),
          bytesSent: try values.decode(Int.self, forKey: .bytesSent),
          bytesReceived: try values.decode(Int.self, forKey: .bytesReceived),
          packetsSent: try values.decode(Int.self, forKey: .packetsSent),
          packetsReceived: try values.decode(Int.self, forKey: .packetsReceived),
          localCandidateType: try values.decodeIfPresent(String.self, forKey: .localCandidateType),
          localRelayProtocol: try values.decodeIfPresent(String.self, forKey: .localRelayProtocol))
      }
    }
  }
}
