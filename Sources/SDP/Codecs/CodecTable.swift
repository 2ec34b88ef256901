/// Collects a section's `rtpmap`, `fmtp` and `rtcp-fb` lines by payload type, in one pass.
struct CodecTable {
  let codecs: [CodecDescription]

  init(_ section: MediaSection) {
    var maps: [UInt8: RTPMap] = [:]
    var parameters: [UInt8: FormatParameters] = [:]
    var feedback: [UInt8: [RTCPFeedback]] = [:]
    var feedbackForAll: [RTCPFeedback] = []
    for case .attribute(let attribute) in section.lines {
      switch attribute.content {
      case .rtpmap(let map): if maps[map.payloadType] == nil { maps[map.payloadType] = map }
      case .formatParameters(let line):
        parameters[line.payloadType, default: FormatParameters()].append(line.parameters)
      case .feedback(let line):
        if let payloadType = line.payloadType {
          CodecTable.add(line.feedback, to: &feedback[payloadType, default: []])
        } else {
          CodecTable.add(line.feedback, to: &feedbackForAll)
        }
      default: break
      }
    }
    var result: [CodecDescription] = section.payloadTypes.compactMap { payloadType in
      guard let map = maps[payloadType] ?? RTPMap.assigned(payloadType) else { return nil }
      var own = feedback[payloadType] ?? []
      for one in feedbackForAll { CodecTable.add(one, to: &own) }
      return CodecDescription(
        payloadType: payloadType, name: map.name, clockRate: map.clockRate, channels: map.channels,
        parameters: parameters[payloadType] ?? FormatParameters(), feedback: own)
    }
    var retransmissions: [UInt8: UInt8] = [:]
    for codec in result {
      guard let primary = codec.associatedPayloadType, retransmissions[primary] == nil else { continue }
      retransmissions[primary] = codec.payloadType
    }
    for index in result.indices where !result[index].isRetransmission {
      result[index].retransmissionPayloadType = retransmissions[result[index].payloadType]
    }
    codecs = result
  }

  private static func add(_ one: RTCPFeedback, to list: inout [RTCPFeedback]) {
    guard list.count < SDPLimits.feedbackPerCodec, !list.contains(one) else { return }
    list.append(one)
  }
}
