import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct PayloadTests {
  @Test(arguments: [
    ("", RTPError.truncated), ("80", .truncated), ("8080", .truncated), ("808080", .truncated),
    ("80f08001", .truncated), ("10", .emptyPayload), ("9080 11", .emptyPayload),
    ("9080 8011", .emptyPayload), ("90e0 8011 05", .truncated),
  ])
  func `a VP8 descriptor that is cut off or has nothing behind it is an error`(text: String, error: RTPError)
  {
    #expect(throws: error) { try VideoPayload(bytes: hex(text), codec: .vp8) }
  }

  @Test func `VP8 descriptors of all forms are read as they are written`() throws {
    let ids: [PictureID?] = [nil, PictureID(0x11, isLong: false), PictureID(0x7FFF)]
    for id in ids {
      for base in [nil, 200] as [UInt8?] {
        for temporal in [nil, 2] as [UInt8?] {
          for key in [nil, 31] as [UInt8?] {
            var descriptor = VP8PayloadDescriptor()
            descriptor.startsPartition = true
            descriptor.partitionIndex = 3
            descriptor.pictureID = id
            descriptor.baseLayerIndex = base
            descriptor.temporalID = temporal
            descriptor.isLayerSync = temporal != nil
            descriptor.keyIndex = key
            let buffer = PacketBuffer()
            try descriptor.write(into: buffer)
            #expect(buffer.count == descriptor.encodedSize)
            try buffer.append([0xAA])
            var reader = ByteReader(buffer.bytes)
            let read = try VP8PayloadDescriptor(reading: &reader)
            #expect(read == descriptor)
            #expect(reader.remaining == 1)
          }
        }
      }
    }
  }

  @Test func `a recorded VP8 keyframe start is understood`() throws {
    let payload = try VideoPayload(
      bytes: hex("90801110 9d012a 8002 6801 00"), codec: .vp8)
    #expect(payload.beginsFrame)
    #expect(payload.dependencies.pictureID == PictureID(0x11, isLong: false))
    let keyframe = try VideoPayload(bytes: hex("10 908a00 9d012a 8002 6801 39"), codec: .vp8)
    #expect(keyframe.isKeyframe && keyframe.width == 640 && keyframe.height == 360)
    #expect(keyframe.bitstreamOffset == 1)
  }

  @Test func `picture numbers wrap at 7 and at 15 bits`() {
    #expect(PictureID(0, isLong: true).distance(from: PictureID(0x7FFF)) == 1)
    #expect(PictureID(0, isLong: false).distance(from: PictureID(0x7F, isLong: false)) == 1)
    #expect(PictureID(5).distance(from: PictureID(9)) == -4)
    #expect(PictureID(0x7FFF).next == PictureID(0))
  }

  @Test(arguments: [
    ("", RTPError.truncated), ("80", .truncated), ("08", .emptyPayload), ("20", .truncated),
    ("10 00", .malformed), ("d0 8001 03 03 03 02 00", .malformed), ("d0 8001 03", .truncated),
    ("0a 18 0280", .truncated), ("0a 08 02 04 01 00", .truncated),
  ])
  func `a VP9 descriptor that is cut off or malformed is an error`(text: String, error: RTPError) {
    #expect(throws: error) { try VideoPayload(bytes: hex(text), codec: .vp9) }
  }

  @Test func `VP9 forms of both runtimes are understood`() throws {
    // Flexible keyframe with structure.
    let key = try VideoPayload(bytes: hex("9b acfa 10 0280 0168 824983"), codec: .vp9)
    #expect(key.isKeyframe && key.beginsFrame && key.endsFrame == false)
    #expect(key.width == 640 && key.height == 360 && key.bitstreamOffset == 8)
    let delta = try VideoPayload(bytes: hex("dd acfc 02 86"), codec: .vp9)
    #expect(!delta.isKeyframe && delta.beginsFrame && delta.endsFrame == true)
    #expect(delta.dependencies.references == VP9PayloadDescriptor.References(1))
    // Non-flexible without picture number.
    let plain = try VideoPayload(bytes: hex("0a 18 0280 0168 01 00 82"), codec: .vp9)
    #expect(plain.isKeyframe && plain.width == 640)
    let inter = try VideoPayload(bytes: hex("4c 86"), codec: .vp9)
    #expect(!inter.isKeyframe && inter.beginsFrame && inter.endsFrame == true)
    // Non-flexible with layers: temporal 2, spatial 1; three references; picture groups.
    let layered = try VideoPayload(bytes: hex("e8 85aa 52 07 86"), codec: .vp9)
    #expect(!layered.beginsFrame && layered.endsFrame == nil)
    #expect(layered.dependencies.temporalLayer?.id == 2)
    let three = try VideoPayload(bytes: hex("d8 8005 03 05 06 86"), codec: .vp9)
    #expect(three.dependencies.references == VP9PayloadDescriptor.References(1, 2, 3))
    let structure = try VideoPayload(
      bytes: hex("0a 38 0140 00b4 0280 0168 02 04 01 48 02 01 82"), codec: .vp9)
    #expect(structure.width == 640 && structure.height == 360 && structure.bitstreamOffset == 15)
  }

  @Test(arguments: VideoCodec.allCases, [1, 31, 32, 999, 1000, 1200, 5000, 100_001])
  func `a frame is cut into equal payloads that cover it`(codec: VideoCodec, size: Int) throws {
    var packetizer = VideoPacketizer(codec: codec, firstPictureID: 1)
    let frame = RandomSource(seed: 1).sequence(size)
    for isKeyframe in [true, false] {
      let packets = packetizer.packetize(
        byteCount: size, isKeyframe: isKeyframe, width: 64, height: 48, maximumPayloadSize: 1000)
      var covered: [UInt8] = []
      var sizes: [Int] = []
      for index in 0..<packets.count {
        covered += frame[packets.range(index)]
        sizes.append(packets.payloadSize(index))
        #expect(!packets.range(index).isEmpty)
      }
      #expect(covered == frame)
      #expect(sizes.allSatisfy { $0 <= 1000 })
      #expect(packets.isLast(packets.count - 1))
    }
    #expect(
      packetizer.packetize(
        byteCount: 0, isKeyframe: false, width: 0, height: 0, maximumPayloadSize: 1000
      ).count == 0)
  }

  @Test func `RTX wraps and unwraps a packet with its extensions, and padding is no repair`() throws {
    let map = HeaderExtensionMap([(4, .transportSequenceNumber)])
    var values = RTPExtensionValues()
    values.transportSequenceNumber = 5
    let original = PacketBuffer()
    try RTPHeader(payloadType: 96, marker: true, sequenceNumber: 65_535, timestamp: 7, ssrc: 8)
      .write(into: original, extensions: values, map: map)
    try original.append([1, 2, 3])
    let wrapped = PacketBuffer()
    try RTX.wrap(
      original.bytes, header: try RTPHeader(buffer: original), payloadType: 97, sequenceNumber: 4,
      ssrc: 9, into: wrapped)
    let header = try RTPHeader(buffer: wrapped)
    #expect(header.payloadType == 97 && header.sequenceNumber == 4 && header.ssrc == 9 && header.marker)
    #expect(header.payloadRange.count == 5)
    let unwrapped = try RTX.unwrap(wrapped, header: header, payloadType: 96, ssrc: 8)
    #expect(unwrapped == (try RTPHeader(buffer: original)))
    let isSame = wrapped.bytes.isEqual(to: original.bytes)
    #expect(isSame)

    let padding = PacketBuffer(copying: hex("a061 0001 00000001 00000002 00000004"))
    #expect(try RTX.unwrap(padding, header: try RTPHeader(buffer: padding), payloadType: 96, ssrc: 8) == nil)
  }

  @Test func `RED gives its blocks and, unwrapped, the primary one`() throws {
    let payload = hex("ef 0f0003 6f aabbcc dd")
    let red = try RedundantPayload(bytes: payload)
    #expect(red.redundant == [.init(payloadType: 111, timestampOffset: 960, range: 5..<8)])
    #expect(red.primary == .init(payloadType: 111, timestampOffset: 0, range: 8..<9))
    let packet = PacketBuffer(copying: hex("80e7 0001 00000001 00000002 60 9080aa5a50"))
    let header = try #require(
      try RedundantPayload.unwrap(packet, header: try RTPHeader(buffer: packet)))
    #expect(header.payloadType == 96 && header.marker && header.payloadRange.count == 5)
    for broken in ["", "ef", "ef0f00", "ef0f0003 6f aa", "ef0f0003"] {
      #expect(throws: RTPError.truncated) { try RedundantPayload(bytes: hex(broken)) }
    }
  }

  @Test(arguments: [
    ("78 00", 960, true), ("08 ff00", 960, false), ("fc fffe00", 960, false), ("f8 fffe", 960, false),
    ("f9 0000 00", 1920, false), ("fa 01 00 00", 1920, false), ("fb 03 000000", 2880, false),
    ("e0 0000", 120, false), ("18 000000", 2880, false), ("68 0000", 960, false), ("60 0000", 480, false),
  ])
  func `an Opus packet's length is read from its first bytes`(text: String, samples: Int, silent: Bool) throws
  {
    let packet = try OpusPacket(bytes: hex(text))
    #expect(packet.sampleCount == samples)
    #expect(packet.isDiscontinuous == silent)
  }

  @Test(arguments: ["", "03", "0300", "fb3f00", "fb8300"])
  func `an Opus packet that is cut off or too long is an error`(text: String) {
    #expect(throws: RTPError.self) { try OpusPacket(bytes: hex(text)) }
  }
}

extension RandomSource {
  fileprivate func sequence(_ count: Int) -> [UInt8] {
    var copy = self
    return copy.bytes(count)
  }
}
