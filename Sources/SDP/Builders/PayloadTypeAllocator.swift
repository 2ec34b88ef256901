/// Gives each format one payload type, the same in all sections of the bundle (RFC 9143 section 9).
struct PayloadTypeAllocator {
  // 64 to 95 look like RTCP when multiplexed (RFC 5761 section 4); below 35 are assigned ones.
  private static let dynamic = Array(UInt8(96)...127) + Array(UInt8(35)...63)

  private var taken: Set<UInt8> = []
  private var known: [CodecDescription] = []

  init(keeping previous: SessionDescription?) {
    for section in previous?.media ?? [] {
      taken.formUnion(section.payloadTypes)
      known += section.codecs.filter { !$0.isRetransmission }
    }
  }

  /// nil when no number is left; the codec is then not offered.
  mutating func assign(_ codec: CodecCapability) -> CodecDescription? {
    if let earlier = known.first(where: { isSame($0, codec) }) ?? known.first(where: { codec.matches($0) }) {
      var retransmission = codec.hasRetransmission ? earlier.retransmissionPayloadType : nil
      if codec.hasRetransmission, retransmission == nil {
        retransmission = take()
        for index in known.indices where known[index].payloadType == earlier.payloadType {
          known[index].retransmissionPayloadType = retransmission
        }
      }
      return codec.description(payloadType: earlier.payloadType, retransmission: retransmission)
    }
    guard let payloadType = fixed(codec) ?? take() else { return nil }
    taken.insert(payloadType)
    let description = codec.description(
      payloadType: payloadType, retransmission: codec.hasRetransmission ? take() : nil)
    known.append(description)
    return description
  }

  private func isSame(_ earlier: CodecDescription, _ codec: CodecCapability) -> Bool {
    codec.matches(earlier) && earlier.parameters == codec.parameters
  }

  private func fixed(_ codec: CodecCapability) -> UInt8? {
    (UInt8(0)..<35).first { number in
      !taken.contains(number)
        && RTPMap.assigned(number).map { map in
          map.name.equalsIgnoringASCIICase(codec.name) && map.clockRate == codec.clockRate
            && map.channels == codec.channels
        } ?? false
    }
  }

  private mutating func take() -> UInt8? {
    guard let number = PayloadTypeAllocator.dynamic.first(where: { !taken.contains($0) }) else { return nil }
    taken.insert(number)
    return number
  }
}
