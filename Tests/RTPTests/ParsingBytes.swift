import RTP
import WireFormat

// `#expect` can't hold spans: these take the bytes instead.

extension RTPHeader {
  init(bytes: [UInt8]) throws(RTPError) { try self.init(parsing: bytes.rawSpan) }
  init(buffer: PacketBuffer) throws(RTPError) { try self.init(parsing: buffer.bytes) }
}

extension RTPExtensionValues {
  init(of header: RTPHeader, buffer: PacketBuffer, map: HeaderExtensionMap) {
    self.init(of: header, in: buffer.bytes, map: map)
  }
}

extension RTCPCompound {
  init(bytes: [UInt8]) throws(RTPError) { try self.init(parsing: bytes.rawSpan) }
}

extension OpusPacket {
  init(bytes: [UInt8]) throws(RTPError) { try self.init(parsing: bytes.rawSpan) }
}

extension RedundantPayload {
  init(bytes: [UInt8]) throws(RTPError) { try self.init(parsing: bytes.rawSpan) }
}

extension VideoPayload {
  init(bytes: [UInt8], codec: VideoCodec) throws(RTPError) {
    try self.init(parsing: bytes.rawSpan, codec: codec)
  }
}
