import Media
import PeerConnection
import ReactorTypes
import WireFormat

/// A connection's figures as JSON.
enum PeerStatistics {
  static func json(_ statistics: LiveStatistics) -> JSONValue {
    let connection = statistics.connection
    var result: [String: JSONValue] = [
      "inbound": .array(connection.media.inbound.map(inbound)),
      "outbound": .array(connection.media.outbound.map(outbound)),
      "targetBitrate": number(connection.media.targetBitrate),
      "association": association(connection),
      "encoders": .object(statistics.videoSenders.mapValues(encoder)),
    ]
    if let pair = connection.pairs.first(where: \.isSelected) {
      result["pair"] = [
        "local": .string("\(pair.local)"), "remote": .string("\(pair.remote)"),
        "roundTripMs": milliseconds(pair.roundTripTime), "bytesSent": number(pair.bytesSent),
        "bytesReceived": number(pair.bytesReceived), "packetsSent": number(pair.packetsSent),
        "packetsReceived": number(pair.packetsReceived),
      ]
    }
    return .object(result)
  }

  private static func inbound(_ stream: InboundStreamStatistics) -> JSONValue {
    [
      "mid": .string(stream.mid), "kind": stream.isVideo ? "video" : "audio",
      "packetsReceived": number(stream.packetsReceived), "packetsLost": number(stream.packetsLost),
      "bytesReceived": number(stream.bytesReceived), "jitterMs": milliseconds(stream.jitter),
      "nacks": number(stream.nackCount), "framesDropped": number(stream.framesDropped),
    ]
  }

  private static func outbound(_ stream: OutboundStreamStatistics) -> JSONValue {
    let counters = stream.counters
    return [
      "mid": .string(stream.mid), "kind": stream.isVideo ? "video" : "audio",
      "codec": stream.codec.map { .string("\($0)") } ?? .null,
      "packetsSent": number(counters.packetsSent), "bytesSent": number(counters.bytesSent),
      "retransmittedPacketsSent": number(counters.retransmittedPacketsSent),
      "paddingBytesSent": number(counters.paddingBytesSent), "framesSent": number(counters.framesSent),
      "keyframesSent": number(counters.keyframesSent), "framesDropped": number(counters.framesDropped),
      "nacks": number(counters.nackCount), "plis": number(counters.pliCount),
      "fractionLost": counters.fractionLost.map { .number($0) } ?? .null,
      "roundTripMs": milliseconds(counters.roundTripTime),
    ]
  }

  private static func encoder(_ encoder: VideoSendStatistics) -> JSONValue {
    [
      "pushed": number(encoder.framesPushed), "replaced": number(encoder.framesReplaced),
      "droppedByEncoder": number(encoder.framesDroppedByEncoder), "encoded": number(encoder.framesEncoded),
      "keyframes": number(encoder.keyframesEncoded), "bytes": number(encoder.bytesEncoded),
      "errors": number(encoder.encodeErrors), "width": number(encoder.width),
      "height": number(encoder.height), "target": number(encoder.targetBitrateBPS),
    ]
  }

  private static func association(_ connection: PeerConnectionStatistics) -> JSONValue {
    let counted = connection.association
    return [
      "messagesSent": .number(Double(counted.messagesSent)),
      "messagesReceived": .number(Double(counted.messagesReceived)),
      "packetsSent": .number(Double(counted.packetsSent)),
      "packetsReceived": .number(Double(counted.packetsReceived)),
      "chunksRetransmitted": .number(Double(counted.chunksRetransmitted)),
      "timeouts": .number(Double(counted.timeouts)),
      "roundTripMs": milliseconds(counted.smoothedRoundTrip),
      "congestionWindow": number(counted.congestionWindow),
    ]
  }

  private static func number(_ value: Int?) -> JSONValue { value.map { .number(Double($0)) } ?? .null }
  private static func milliseconds(_ value: Interval?) -> JSONValue {
    value.map { .number($0.inMilliseconds) } ?? .null
  }
}
