import WireFormat

/// REMB, application layer feedback (payload-specific format 15; draft-alvestrand-rmcat-remb-03).
package struct ReceiverEstimatedMaximumBitrate: Hashable, Sendable {
  package var senderSSRC: UInt32
  /// Bits a second; written with 18 bits of precision.
  package var bitrateBPS: UInt64
  /// The streams that share it; at most 255.
  package var ssrcs: [UInt32]

  package init(senderSSRC: UInt32, bitrateBPS: UInt64, ssrcs: [UInt32]) {
    self.senderSSRC = senderSSRC
    self.bitrateBPS = bitrateBPS
    self.ssrcs = ssrcs
  }

  static let format: UInt8 = 15
  private static let identifier: UInt32 = 0x5245_4D42

  /// REMB, or `unknown` for another application's feedback under the same format.
  static func packet(body: RawSpan) throws(RTPError) -> RTCPPacket {
    var reader = ByteReader(body)
    guard let sender = try? reader.uint32(), (try? reader.skip(4)) != nil else { throw .truncated }
    guard let name = try? reader.uint32(), name == identifier else {
      return .unknown(type: RTCPHeader.PacketType.payloadFeedback, format: format)
    }
    guard let count = try? reader.uint8(), let packed = try? reader.uint24() else { throw .truncated }
    let exponent = packed &>> 18
    let mantissa = UInt64(packed & 0x3_FFFF)
    let shifted = mantissa &<< UInt64(exponent)
    let bitrate = shifted &>> UInt64(exponent) == mantissa ? shifted : .max
    var ssrcs: [UInt32] = []
    for _ in 0..<count {
      guard let ssrc = try? reader.uint32() else { throw .truncated }
      ssrcs.append(ssrc)
    }
    return .receiverEstimatedMaximumBitrate(
      ReceiverEstimatedMaximumBitrate(senderSSRC: sender, bitrateBPS: bitrate, ssrcs: ssrcs))
  }

  func write(into writer: inout ByteWriter) {
    RTCPHeader.write(
      count: Int(ReceiverEstimatedMaximumBitrate.format), type: RTCPHeader.PacketType.payloadFeedback,
      into: &writer
    ) { writer in
      writer.write(senderSSRC)
      writer.write(0 as UInt32)
      writer.write(ReceiverEstimatedMaximumBitrate.identifier)
      let listed = ssrcs.prefix(255)
      writer.write(UInt8(truncatingIfNeeded: listed.count))
      let exponent = UInt32(max(0, 64 - 18 - bitrateBPS.leadingZeroBitCount))
      writer.write24(exponent &<< 18 | UInt32(truncatingIfNeeded: bitrateBPS &>> UInt64(exponent)))
      for ssrc in listed { writer.write(ssrc) }
    }
  }
}
