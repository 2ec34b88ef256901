import RTP
import WireFormat

/// A small sender for receiver tests: frames of random bytes in VP8 or VP9 packets, a history, and answers to
/// NACK and PLI.
struct VideoSource {
  static let mediaSSRC: UInt32 = 0x1111
  static let repairSSRC: UInt32 = 0x2222

  let codec: VideoCodec
  var ssrc = VideoSource.mediaSSRC
  var sequence: UInt16
  var timestamp: UInt32
  var repairSequence: UInt16 = 60_000
  var packetsPerFrame = 3
  var packetsPerKeyframe = 8
  var needsKeyframe = true
  private(set) var keyframes = 0
  private var packetizer: VideoPacketizer
  private var random: RandomSource
  private var history: [UInt16: [UInt8]] = [:]
  private var lastResend: [UInt16: Instant] = [:]

  init(codec: VideoCodec = .vp8, sequence: UInt16 = 65_500, timestamp: UInt32 = 0xFFFF_0000, seed: UInt64 = 1)
  {
    self.codec = codec
    self.sequence = sequence
    self.timestamp = timestamp
    packetizer = VideoPacketizer(codec: codec, firstPictureID: 0x7FFA)
    random = RandomSource(seed: seed)
  }

  var payloadType: UInt8 { codec == .vp8 ? 96 : 98 }

  /// The packets of the next frame (33 ms later), and its bytes.
  mutating func nextFrame() throws -> (packets: [[UInt8]], data: [UInt8], isKeyframe: Bool) {
    let isKeyframe = needsKeyframe
    needsKeyframe = false
    if isKeyframe { keyframes += 1 }
    let count = isKeyframe ? packetsPerKeyframe : packetsPerFrame
    var data = random.bytes(count * 100 - 20)
    if codec == .vp8 {
      data[0] = data[0] & ~1 | (isKeyframe ? 0 : 1)
      if isKeyframe { data.replaceSubrange(3..<10, with: [0x9D, 0x01, 0x2A, 64, 0, 48, 0]) }
    }
    let pieces = packetizer.packetize(
      byteCount: data.count, isKeyframe: isKeyframe, width: 64, height: 48, maximumPayloadSize: 112)
    var packets: [[UInt8]] = []
    for index in 0..<pieces.count {
      let buffer = PacketBuffer()
      try RTPHeader(
        payloadType: payloadType, marker: pieces.isLast(index), sequenceNumber: sequence,
        timestamp: timestamp, ssrc: ssrc
      ).write(into: buffer)
      try pieces.writePayload(index, of: data.rawSpan, into: buffer)
      let bytes = buffer.bytes.copyBytes()
      history[sequence] = bytes
      history[sequence &- 1500] = nil
      packets.append(bytes)
      sequence &+= 1
    }
    timestamp &+= 2970
    return (packets, data, isKeyframe)
  }

  /// A packet once more, in RTX, and twice from the second time on, as our sender has it; none when it is
  /// forgotten or was resent within a round trip.
  mutating func retransmissions(of number: UInt16, at now: Instant, roundTrip: Interval) throws -> [[UInt8]] {
    guard let original = history[number] else { return [] }
    let last = lastResend[number]
    if let last, now - last < roundTrip * 0.9 { return [] }
    lastResend[number] = now
    var copies = [try retransmission(of: original)]
    if last != nil { copies.append(try retransmission(of: original)) }
    return copies
  }

  private mutating func retransmission(of original: [UInt8]) throws -> [UInt8] {
    let buffer = PacketBuffer()
    try RTX.wrap(
      original.rawSpan, header: try RTPHeader(bytes: original), payloadType: payloadType + 1,
      sequenceNumber: repairSequence, ssrc: VideoSource.repairSSRC, into: buffer)
    repairSequence &+= 1
    return buffer.bytes.copyBytes()
  }
}

extension VideoReceiver {
  static func make(_ change: (inout VideoReceiverConfiguration) -> Void = { _ in }) -> VideoReceiver {
    var configuration = VideoReceiverConfiguration(
      formats: [
        96: .media(.vp8), 97: .retransmission(associated: 96), 98: .media(.vp9),
        99: .retransmission(associated: 98),
      ], localSSRC: 1)
    change(&configuration)
    return VideoReceiver(configuration: configuration, pool: PacketPool(limit: 4096))
  }

  func feed(_ bytes: [UInt8], at now: Instant) throws {
    handle(PacketBuffer(copying: bytes), header: try RTPHeader(bytes: bytes), at: now)
  }

  func drainFrames(at now: Instant) -> [EncodedVideoFrame] {
    var frames: [EncodedVideoFrame] = []
    while let frame = nextFrame(at: now) { frames.append(frame) }
    return frames
  }

  func drainFeedback(at now: Instant) -> [RTCPPacket] {
    var packets: [RTCPPacket] = []
    while let packet = nextFeedback(at: now) { packets.append(packet) }
    return packets
  }
}

extension Instant {
  static func ms(_ count: Double) -> Instant { .origin + .milliseconds(count) }
}

extension RTCPPacket {
  var isPictureLoss: Bool { if case .pictureLossIndication = self { true } else { false } }
  var lost: [UInt16] { if case .nack(let nack) = self { nack.lost } else { [] } }
}
