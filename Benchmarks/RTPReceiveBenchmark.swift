import RTP
import WireFormat

/// Packets parsed, packetised and put together again.
enum RTPReceiveBenchmark {
  private static let count = 200_000

  static func run(_ table: inout Table) {
    parse(&table)
    for codec in VideoCodec.allCases { packetise(codec, &table) }
    for codec in VideoCodec.allCases { receive(codec, &table) }
    feedback(&table)
  }

  private static let map = HeaderExtensionMap([
    (2, .absoluteSendTime), (4, .transportSequenceNumber), (9, .mid),
  ])

  private static func measure(_ what: String, _ table: inout Table, _ body: () -> Void) {
    body()
    let before = AllocationCount.now
    body()
    let allocations = Double(AllocationCount.now - before) / Double(count)
    let seconds = median(rounds: 5, count: count, body)
    table.add(.text(what), .number(seconds * 1e6), .number(1 / seconds), .number(allocations))
  }

  private static func packet(sequence: UInt16, payloadBytes: Int) -> PacketBuffer {
    let buffer = PacketBuffer()
    var values = RTPExtensionValues()
    values.absoluteSendTime = 1
    values.transportSequenceNumber = sequence
    values.mid = "0"
    let header = RTPHeader(payloadType: 96, sequenceNumber: sequence, timestamp: 1, ssrc: 1)
    try? header.write(into: buffer, extensions: values, map: map)
    try? buffer.appendZeros(payloadBytes)
    return buffer
  }

  private static func parse(_ table: inout Table) {
    let buffer = packet(sequence: 1, payloadBytes: 1100)
    var sum = 0
    measure("header parsed", &table) {
      for _ in 0..<count {
        if let header = try? RTPHeader(parsing: buffer.bytes) { sum &+= header.payloadRange.count }
      }
    }
    measure("header and extensions parsed", &table) {
      for _ in 0..<count {
        guard let header = try? RTPHeader(parsing: buffer.bytes) else { continue }
        let values = RTPExtensionValues(of: header, in: buffer.bytes, map: map)
        sum &+= Int(values.transportSequenceNumber ?? 0)
      }
    }
    if sum == 0 { table.note("nothing parsed") }
  }

  private static func frame(_ codec: VideoCodec, isKeyframe: Bool, bytes: Int) -> [UInt8] {
    var data = [UInt8](repeating: 0x55, count: bytes)
    if codec == .vp8 {
      data[0] = isKeyframe ? 0x10 : 0x11
      if isKeyframe { data.replaceSubrange(3..<10, with: [0x9D, 0x01, 0x2A, 64, 0, 48, 0]) }
    }
    return data
  }

  /// Appends the packets of a frame, in pooled buffers, last one first.
  private static func appendPackets(
    _ codec: VideoCodec, _ data: [UInt8], isKeyframe: Bool, _ packetizer: inout VideoPacketizer,
    _ sequence: inout UInt16, timestamp: UInt32, pool: PacketPool, to batch: inout [PacketBuffer]
  ) {
    let pieces = packetizer.packetize(
      byteCount: data.count, isKeyframe: isKeyframe, width: 64, height: 48, maximumPayloadSize: 1150)
    for index in (0..<pieces.count).reversed() {
      let buffer = pool.take()
      var values = RTPExtensionValues()
      values.transportSequenceNumber = sequence
      values.absoluteSendTime = 1
      let header = RTPHeader(
        payloadType: codec == .vp8 ? 96 : 98, marker: pieces.isLast(index),
        sequenceNumber: sequence &+ UInt16(truncatingIfNeeded: index), timestamp: timestamp, ssrc: 1)
      try? header.write(into: buffer, extensions: values, map: map)
      try? pieces.writePayload(index, of: data.rawSpan, into: buffer)
      batch.append(buffer)
    }
    sequence &+= UInt16(truncatingIfNeeded: pieces.count)
  }

  private static func packetise(_ codec: VideoCodec, _ table: inout Table) {
    let pool = PacketPool()
    var packetizer = VideoPacketizer(codec: codec, firstPictureID: 0)
    var sequence: UInt16 = 0
    var batch: [PacketBuffer] = []
    let data = frame(codec, isKeyframe: false, bytes: 11_000)
    measure("\(codec.rawValue), written", &table) {
      for number in 0..<(count / 10) {
        appendPackets(
          codec, data, isKeyframe: false, &packetizer, &sequence, timestamp: UInt32(number), pool: pool,
          to: &batch)
        while let buffer = batch.popLast() { pool.give(buffer) }
      }
    }
  }

  /// Ten packets a frame: written, parsed, received, and the frame taken out. One allocation a frame is the
  /// frame itself.
  private static func receive(_ codec: VideoCodec, _ table: inout Table) {
    let run = Run(codec: codec)
    measure("\(codec.rawValue), written, parsed and received", &table) {
      for _ in 0..<(count / 10) { run.passFrame() }
    }
  }

  private final class Run {
    let codec: VideoCodec
    let pool = PacketPool()
    var frames = 0
    private let receiver: VideoReceiver
    private var packetizer: VideoPacketizer
    private var sequence: UInt16 = 0
    private var timestamp: UInt32 = 0
    private var batch: [PacketBuffer] = []
    private var now = Instant.origin
    private var data: [UInt8]
    private let delta: [UInt8]

    init(codec: VideoCodec) {
      self.codec = codec
      packetizer = VideoPacketizer(codec: codec, firstPictureID: 0)
      receiver = VideoReceiver(
        configuration: VideoReceiverConfiguration(
          formats: [96: .media(.vp8), 98: .media(.vp9)], localSSRC: 1), pool: pool)
      data = frame(codec, isKeyframe: true, bytes: 11_000)
      delta = frame(codec, isKeyframe: false, bytes: 11_000)
    }

    // Not inlined: the compiler (6.3.1) crashes on the loop that it makes of it.
    @inline(never) func passFrame() {
      appendPackets(
        codec, data, isKeyframe: timestamp == 0, &packetizer, &sequence, timestamp: timestamp, pool: pool,
        to: &batch)
      while let buffer = batch.popLast() { receive(buffer) }
      data = delta
      timestamp &+= 3000
      now = now + .milliseconds(33)
      while receiver.nextFrame(at: now) != nil { frames += 1 }
      while receiver.nextFeedback(at: now) != nil {}
    }

    @inline(never) private func receive(_ buffer: consuming PacketBuffer) {
      guard let header = try? RTPHeader(parsing: buffer.bytes) else { return }
      receiver.handle(buffer, header: header, at: now)
    }
  }

  private static func feedback(_ table: inout Table) {
    var generator = TransportFeedbackGenerator(localSSRC: 1)
    var sequence: UInt16 = 0
    var now = Instant.origin
    var bytes = 0
    measure("reported in transport feedback", &table) {
      for _ in 0..<count {
        generator.handle(sequenceNumber: sequence, mediaSSRC: 1, at: now)
        sequence &+= 1
        now = now + .milliseconds(1)
        while let feedback = generator.nextFeedback(at: now) {
          bytes += RTCPCompound([.transportFeedback(feedback)]).serialized().count
        }
      }
    }
  }
}
