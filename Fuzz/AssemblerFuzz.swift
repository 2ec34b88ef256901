import RTP
import WireFormat

/// The video receiver as a whole: the input is a script of packets, each with a length byte and a time step,
/// followed by the packet's last header bytes and payload.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAssembler(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = RawSpan(_unsafeStart: UnsafeRawPointer(start), byteCount: count)
  let formats: [UInt8: VideoPayloadFormat] = [
    96: .media(.vp8), 97: .retransmission(associated: 96), 98: .media(.vp9), 103: .redundant,
  ]
  var configuration = VideoReceiverConfiguration(formats: formats, localSSRC: 1)
  configuration.maximumPackets = 128
  configuration.hasFrameMetadata = true
  let receiver = VideoReceiver(configuration: configuration, pool: PacketPool(limit: 256))
  var reader = ByteReader(bytes)
  var now = Instant.origin
  var sequence: UInt16 = 65_500
  while let size = try? reader.uint8(), let kind = try? reader.uint8(), let step = try? reader.uint8(),
    let payload = try? reader.bytes(min(Int(size), reader.remaining))
  {
    sequence &+= UInt16(truncatingIfNeeded: Int(step & 7) - 1)
    now = now + .milliseconds(Int64(step &>> 3))
    let payloadType: UInt8 = [96, 97, 98, 103][Int(kind & 3)]
    let header = RTPHeader(
      payloadType: payloadType, marker: kind & 4 != 0, sequenceNumber: sequence,
      timestamp: UInt32(kind &>> 3) &* 3000, ssrc: kind & 0x80 == 0 ? 1 : 2)
    let packet = PacketBuffer()
    guard (try? header.write(into: packet)) != nil, (try? packet.append(payload)) != nil,
      let parsed = try? RTPHeader(parsing: packet.bytes)
    else { break }
    receiver.handle(packet, header: parsed, at: now)
    receiver.handleTimeout(at: now)
    while receiver.nextFrame(at: now) != nil {}
    while receiver.nextFeedback(at: now) != nil {}
  }
  return 0
}
