import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct RecordedStreamTests {
  static let allFiles = RecordedStream.rtpFiles + RecordedStream.relayFiles

  @Test(arguments: allFiles)
  func `every recorded packet is parsed, and RTCP is written back byte for byte where it can be`(
    file: String
  ) throws {
    var kinds: [String: Int] = [:]
    for packet in try RecordedStream.read(file) {
      guard packet.isRTCP else {
        let header = try RTPHeader(bytes: packet.bytes)
        #expect(header.payloadRange.upperBound + header.paddingCount == packet.bytes.count)
        continue
      }
      let compound = try RTCPCompound(bytes: packet.bytes)
      #expect(compound.malformedCount == 0)
      for part in compound.packets {
        if case .unknown = part { kinds["unknown", default: 0] += 1 }
        if case .transportFeedback = part { kinds["feedback", default: 0] += 1 }
      }
      let again = try RTCPCompound(bytes: compound.serialized())
      #expect(again == compound)
    }
    #expect(kinds["unknown"] == nil)
  }

  /// Frames of one source of a recording, as the receiver gives them when fed everything that arrived.
  private func frames(
    _ file: String, source: String, reorder: Bool = false, includingLost: Bool = false,
    hasMetadata: Bool = true
  ) throws -> (frames: [EncodedVideoFrame], receiver: VideoReceiver, timestamps: Set<UInt32>) {
    let formats = RecordedStream.formats(of: file)
    var configuration = VideoReceiverConfiguration(formats: formats, localSSRC: 1)
    configuration.hasFrameMetadata = hasMetadata
    let receiver = VideoReceiver(configuration: configuration, pool: PacketPool())
    receiver.roundTripTime = .milliseconds(5)
    var frames: [EncodedVideoFrame] = []
    var timestamps: Set<UInt32> = []
    var packets = try RecordedStream.read(file).filter {
      !$0.isRTCP && $0.source == source && ($0.arrived || includingLost)
        && formats[$0.bytes[1] & 0x7F] != nil
    }
    if reorder {
      for index in stride(from: 3, to: packets.count - 4, by: 4) {
        packets.swapAt(index, index + 3)
      }
    }
    for packet in packets {
      let header = try RTPHeader(bytes: packet.bytes)
      let format = formats[header.payloadType]
      if case .retransmission = format {
      } else if !header.payloadRange.isEmpty {
        timestamps.insert(header.timestamp)
      }
      receiver.handle(PacketBuffer(copying: packet.bytes), header: header, at: packet.time)
      while let frame = receiver.nextFrame(at: packet.time) { frames.append(frame) }
      while receiver.nextFeedback(at: packet.time) != nil {}
    }
    return (frames, receiver, timestamps)
  }

  @Test(
    arguments: [
      ("rtp/runtime_VP8.pcap", "127.0.0.2"), ("rtp/runtime_VP9.pcap", "127.0.0.2"),
      ("rtp/client_VP8.pcap", "127.0.0.2"), ("rtp/client_VP9.pcap", "127.0.0.2"),
      ("rtp/sdk-0.8_runtime-2.10.pcap", "127.0.0.1"), ("relay/metadata-vp8/00.clear.pcap", "198.51.100.2"),
      ("relay/metadata-vp8/00.clear.pcap", "198.51.100.1"),
      ("relay/loss-red-vp8/00.clear.pcap", "198.51.100.2"),
    ], [false, true])
  func `a whole recorded stream gives every frame, in order or not`(
    file: (String, String), reorder: Bool
  ) throws {
    let (frames, receiver, timestamps) = try frames(
      file.0, source: file.1, reorder: reorder, includingLost: true)
    #expect(frames.count == timestamps.count)
    #expect(Set(frames.map(\.rtpTimestamp)) == timestamps)
    #expect(frames.first?.isKeyframe == true)
    #expect(receiver.statistics.packetsMalformed == 0)
    #expect(receiver.statistics.framesDropped == 0)
    for (earlier, later) in zip(frames, frames.dropFirst()) {
      #expect(later.rtpTimestamp.isNewer(than: earlier.rtpTimestamp))
    }
    for frame in frames { expectPlausible(frame) }
  }

  @Test(
    arguments: ["198.51.100.1", "198.51.100.2"],
    [
      "relay/loss-vp8/00.clear.pcap", "relay/loss-vp9/00.clear.pcap", "relay/loss-red-vp8/00.clear.pcap",
      "relay/loss-heavy-vp8/00.clear.pcap",
    ])
  func `a stream with real losses gives its frames in order, each whole`(source: String, file: String) throws
  {
    let (frames, receiver, timestamps) = try frames(file, source: source)
    let (all, _, _) = try self.frames(file, source: source, includingLost: true)
    let whole = Dictionary(uniqueKeysWithValues: all.map { ($0.rtpTimestamp, $0.data) })
    for frame in frames { #expect(whole[frame.rtpTimestamp] == frame.data) }
    for (earlier, later) in zip(frames, frames.dropFirst()) {
      #expect(later.rtpTimestamp.isNewer(than: earlier.rtpTimestamp))
    }
    // The sender repaired what its real receiver asked for, so most of it comes through here too.
    if !file.contains("heavy") {
      #expect(Double(frames.count) >= Double(timestamps.count) * 0.9)
      #expect(receiver.statistics.packetsRepaired > 0)
      #expect(receiver.statistics.nackCount > 0)
    } else {
      #expect(!frames.isEmpty)
    }
  }

  @Test func `recorded trailers give id, capture time and tag`() throws {
    let (frames, _, _) = try frames("relay/metadata-vp8/00.clear.pcap", source: "198.51.100.2")
    let tagged = frames.compactMap(\.metadata)
    #expect(tagged.count > 100)
    #expect(tagged.first?.frameID == 1)
    #expect(tagged.map(\.frameID) == (1...UInt64(tagged.count)).map { $0 })
    #expect(tagged.allSatisfy { $0.captureTimeUs > 0 && ($0.userData?.count ?? 0) > 0 })
    #expect(frames.count > tagged.count)
    let (untouched, _, _) = try self.frames(
      "relay/metadata-vp8/00.clear.pcap", source: "198.51.100.2", hasMetadata: false)
    #expect(untouched.allSatisfy { $0.metadata == nil })
    #expect(untouched.filter { $0.data.suffix(4).elementsEqual("RXMT".utf8) }.count == tagged.count)
  }

  @Test(arguments: [
    ("rtp/runtime_VP8.pcap", VideoCodec.vp8), ("rtp/runtime_VP9.pcap", .vp9), ("rtp/client_VP9.pcap", .vp9),
  ])
  func `recorded frames are packetised and put together again`(file: String, codec: VideoCodec) throws {
    let (frames, _, _) = try frames(file, source: "127.0.0.2", hasMetadata: false)
    let pool = PacketPool()
    let receiver = VideoReceiver(
      configuration: VideoReceiverConfiguration(formats: RecordedStream.formats, localSSRC: 1), pool: pool)
    var packetizer = VideoPacketizer(codec: codec, firstPictureID: 0x7FF0)
    var sequence: UInt16 = 65_500
    for frame in frames {
      let packets = packetizer.packetize(
        byteCount: frame.data.count, isKeyframe: frame.isKeyframe, width: frame.width, height: frame.height,
        maximumPayloadSize: 1000)
      for index in 0..<packets.count {
        let buffer = pool.take()
        let header = RTPHeader(
          payloadType: codec == .vp8 ? 96 : 98, marker: packets.isLast(index), sequenceNumber: sequence,
          timestamp: frame.rtpTimestamp, ssrc: 5)
        sequence &+= 1
        try header.write(into: buffer)
        try packets.writePayload(index, of: frame.data.rawSpan, into: buffer)
        #expect(buffer.count <= 1012)
        #expect(buffer.count == 12 + packets.payloadSize(index))
        receiver.handle(buffer, header: try RTPHeader(buffer: buffer), at: .origin)
      }
      let again = try #require(receiver.nextFrame(at: .origin))
      #expect(again.data == frame.data)
      #expect(again.isKeyframe == frame.isKeyframe)
      #expect(again.width == frame.width)
      #expect(again.height == frame.height)
    }
    #expect(receiver.nextFeedback(at: .origin) == nil)
  }

  @Test(arguments: [("rtp/runtime_VP8.pcap", 200), ("rtp/client_VP8.pcap", 200)])
  func `recorded Opus is steady, 20 ms a packet`(file: String, count: Int) throws {
    let receiver = AudioReceiver(
      configuration: AudioReceiver.Configuration(opusPayloadTypes: [111]), pool: PacketPool())
    var timestamps: [UInt32] = []
    for packet in try RecordedStream.read(file) where !packet.isRTCP && packet.bytes[1] & 0x7F == 111 {
      receiver.handle(
        PacketBuffer(copying: packet.bytes), header: try RTPHeader(bytes: packet.bytes),
        at: packet.time)
      while let audio = receiver.nextPacket() {
        timestamps.append(audio.timestamp)
        #expect(try OpusPacket(bytes: audio.payload).sampleCount == 960)
      }
    }
    #expect(timestamps.count == count)
    #expect(zip(timestamps, timestamps.dropFirst()).allSatisfy { $1 &- $0 == 960 })
    #expect(receiver.statistics.packetsLost == 0)
  }

  private func expectPlausible(_ frame: EncodedVideoFrame) {
    #expect(!frame.data.isEmpty)
    if frame.codec == .vp8 {
      // Frame tag: inverted key bit, and the first partition fits in the frame (RFC 6386 section 9.1).
      let tag = Int(frame.data[0]) | Int(frame.data[1]) << 8 | Int(frame.data[2]) << 16
      #expect((tag & 1 == 0) == frame.isKeyframe)
      #expect(tag >> 5 <= frame.data.count)
      if frame.isKeyframe { #expect(frame.width > 0 && frame.height > 0) }
    } else {
      #expect(frame.data[0] >> 6 == 2)
    }
  }
}
