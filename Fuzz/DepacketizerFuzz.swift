import RTP
import WireFormat

/// VP8 and VP9 descriptors, RED, Opus, and the metadata trailer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDepacketizers(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = RawSpan(_unsafeStart: UnsafeRawPointer(start), byteCount: count)
  for codec in VideoCodec.allCases {
    if let payload = try? VideoPayload(parsing: bytes, codec: codec) {
      precondition(payload.bitstreamOffset < count)
    }
  }
  if let red = try? RedundantPayload(parsing: bytes) { precondition(red.primary.range.upperBound == count) }
  _ = try? OpusPacket(parsing: bytes)
  var frame = bytes.copyBytes()
  if FrameMetadataTrailer.strip(from: &frame) != nil { precondition(frame.count <= count - 8) }
  return 0
}
