import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct VideoReceiverTests {
  @Test(arguments: VideoCodec.allCases)
  func `the picture goes on over the wrap of sequence, picture number and timestamp, reordered by three`(
    codec: VideoCodec
  ) throws {
    var source = VideoSource(codec: codec)
    let receiver = VideoReceiver.make()
    var packets: [[UInt8]] = []
    var expected: [[UInt8]] = []
    for _ in 0..<60 {
      let frame = try source.nextFrame()
      packets += frame.packets
      expected.append(frame.data)
    }
    for index in stride(from: 1, to: packets.count - 4, by: 5) { packets.swapAt(index, index + 3) }
    var received: [[UInt8]] = []
    for (index, packet) in packets.enumerated() {
      try receiver.feed(packet, at: .ms(Double(index)))
      received += receiver.drainFrames(at: .ms(Double(index))).map(\.data)
    }
    #expect(received == expected)
    #expect(receiver.statistics.packetsLost == 0)
    #expect(receiver.statistics.framesDropped == 0)
  }

  @Test func `a frame is delivered the moment its last packet is there`() throws {
    var source = VideoSource()
    let receiver = VideoReceiver.make()
    let frame = try source.nextFrame()
    for packet in frame.packets.dropLast() {
      try receiver.feed(packet, at: .ms(1))
      #expect(receiver.nextFrame(at: .ms(1)) == nil)
    }
    try receiver.feed(try #require(frame.packets.last), at: .ms(2))
    let received = try #require(receiver.nextFrame(at: .ms(2)))
    #expect(received.data == frame.data && received.isKeyframe && received.width == 64)
    #expect(receiver.drainFeedback(at: .ms(2)).isEmpty)
  }

  @Test func `a colour space holds until another one, or a keyframe without any`() throws {
    var source = VideoSource()
    let receiver = VideoReceiver.make()
    let (first, second) = (VideoColourSpace(rawValue: 0x0101_0120), VideoColourSpace(rawValue: 0x0606_0610))
    var seen: [VideoColourSpace?] = []
    for (number, told) in [first, nil, nil, second, nil, nil, nil].enumerated() {
      let now = Instant.ms(Double(number) * 33)
      source.needsKeyframe = number == 0 || number == 5
      // It rides on the last packet of its frame.
      let packets = try source.nextFrame().packets
      for (index, packet) in packets.enumerated() {
        receiver.handle(
          PacketBuffer(copying: packet), header: try RTPHeader(bytes: packet),
          colourSpace: index == packets.count - 1 ? told : nil, at: now)
      }
      seen += receiver.drainFrames(at: now).map(\.colourSpace)
    }
    #expect(seen == [first, first, first, second, second, nil, nil])
  }

  @Test func `a lost packet is asked for at once, again by the round trip, and not after RTX brought it`()
    throws
  {
    var source = VideoSource()
    let receiver = VideoReceiver.make()
    receiver.roundTripTime = .milliseconds(50)
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(0)) }
    let frame = try source.nextFrame()
    let lost = try RTPHeader(bytes: frame.packets[1]).sequenceNumber
    try receiver.feed(frame.packets[0], at: .ms(33))
    try receiver.feed(frame.packets[2], at: .ms(33))
    #expect(receiver.drainFeedback(at: .ms(33)).map(\.lost) == [[lost]])
    #expect(receiver.drainFeedback(at: .ms(40)).isEmpty)
    #expect(receiver.drainFeedback(at: .ms(62)).map(\.lost) == [[lost]])
    #expect(receiver.drainFrames(at: .ms(62)).count == 1)
    let repair = try #require(
      try source.retransmissions(of: lost, at: .ms(83), roundTrip: .milliseconds(50)).first)
    try receiver.feed(repair, at: .ms(83))
    #expect(receiver.drainFrames(at: .ms(83)).map(\.data) == [frame.data])
    for time in stride(from: 83.0, to: 1500, by: 10) {
      receiver.handleTimeout(at: .ms(time))
      #expect(receiver.drainFeedback(at: .ms(time)).isEmpty)
    }
    #expect(receiver.nextTimeout == nil)
    #expect(receiver.statistics.packetsRepaired == 1)
  }

  @Test func `a packet is asked for a bounded number of times, then a keyframe`() throws {
    var source = VideoSource()
    let receiver = VideoReceiver.make()
    receiver.roundTripTime = .milliseconds(20)
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(0)) }
    var requests: [UInt16: Int] = [:]
    var pictureLosses = 0
    for number in 1...90 {
      let now = Instant.ms(Double(number) * 33)
      for (index, packet) in try source.nextFrame().packets.enumerated() where number != 1 || index != 1 {
        try receiver.feed(packet, at: now)
      }
      receiver.handleTimeout(at: now)
      for packet in receiver.drainFeedback(at: now) {
        for lost in packet.lost { requests[lost, default: 0] += 1 }
        if packet.isPictureLoss { pictureLosses += 1 }
      }
      _ = receiver.drainFrames(at: now)
    }
    #expect(requests.count == 1)
    #expect(requests.values.allSatisfy { $0 <= 12 })
    // Spaced by 100 ms at first, by a second when nobody answers.
    #expect(pictureLosses >= 3 && pictureLosses <= 8)
  }

  @Test func `one keyframe request is outstanding, and the keyframe ends it`() throws {
    var source = VideoSource()
    let receiver = VideoReceiver.make()
    receiver.roundTripTime = .milliseconds(50)
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(0)) }
    #expect(receiver.drainFrames(at: .ms(0)).count == 1)
    var sent = 0
    for millisecond in 1...99 {
      receiver.requestKeyframe(at: .ms(Double(millisecond)))
      sent += receiver.drainFeedback(at: .ms(Double(millisecond))).count
    }
    #expect(sent == 1)
    source.needsKeyframe = true
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(100)) }
    #expect(receiver.drainFrames(at: .ms(100)).map(\.isKeyframe) == [true])
    for millisecond in 100...2000 {
      receiver.handleTimeout(at: .ms(Double(millisecond)))
      #expect(receiver.drainFeedback(at: .ms(Double(millisecond))).isEmpty)
    }
  }

  @Test func `after a decoder's request only a keyframe is delivered`() throws {
    var source = VideoSource()
    let receiver = VideoReceiver.make()
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(0)) }
    _ = receiver.drainFrames(at: .ms(0))
    receiver.requestKeyframe(at: .ms(1))
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(33)) }
    #expect(receiver.drainFrames(at: .ms(33)).isEmpty)
    source.needsKeyframe = true
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(66)) }
    #expect(receiver.drainFrames(at: .ms(66)).count == 1)
  }

  @Test func `a start in mid-stream asks for a keyframe, by FIR where PLI was not agreed`() throws {
    var source = VideoSource()
    _ = try source.nextFrame()
    let receiver = VideoReceiver.make { $0.canSendPictureLoss = false }
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(0)) }
    #expect(receiver.drainFeedback(at: .ms(0)).isEmpty)
    let expected = FullIntraRequest(
      senderSSRC: 1, entries: [.init(ssrc: VideoSource.mediaSSRC, sequenceNumber: 1)])
    #expect(receiver.drainFeedback(at: .ms(10)) == [.fullIntraRequest(expected)])
    #expect(receiver.drainFrames(at: .ms(10)).isEmpty)
  }

  @Test func `a jump far ahead begins anew and asks for a keyframe, without thousands of requests`() throws {
    var source = VideoSource(sequence: 100)
    let receiver = VideoReceiver.make()
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(0)) }
    _ = receiver.drainFrames(at: .ms(0))
    source.sequence = 40_000
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(33)) }
    let feedback = receiver.drainFeedback(at: .ms(43))
    #expect(feedback.contains { $0.isPictureLoss })
    #expect(feedback.flatMap(\.lost).count < 10)
    source.needsKeyframe = true
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(66)) }
    #expect(receiver.drainFrames(at: .ms(66)).count == 1)
  }

  @Test func `an outage longer than the list of missing packets asks for a keyframe only`() throws {
    var source = VideoSource(sequence: 100)
    let receiver = VideoReceiver.make()
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(0)) }
    for _ in 0..<500 { _ = try source.nextFrame() }
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(900)) }
    let feedback = receiver.drainFeedback(at: .ms(910))
    #expect(feedback.count == 1 && feedback[0].isPictureLoss)
  }

  @Test func `duplicates and late packets are counted and harmless`() throws {
    var source = VideoSource()
    let receiver = VideoReceiver.make()
    let frame = try source.nextFrame()
    for packet in frame.packets {
      try receiver.feed(packet, at: .ms(0))
      try receiver.feed(packet, at: .ms(0))
    }
    #expect(receiver.drainFrames(at: .ms(0)).map(\.data) == [frame.data])
    try receiver.feed(frame.packets[0], at: .ms(1))
    #expect(receiver.drainFrames(at: .ms(1)).isEmpty)
    #expect(receiver.statistics.packetsDuplicated == UInt64(frame.packets.count))
    #expect(receiver.statistics.packetsLate == 1)
  }

  @Test func `a missing marker is made good by the next frame's first packet`() throws {
    var source = VideoSource()
    let receiver = VideoReceiver.make()
    var expected: [[UInt8]] = []
    var received: [[UInt8]] = []
    for number in 0..<5 {
      var frame = try source.nextFrame()
      frame.packets[frame.packets.count - 1][1] &= 0x7F
      expected.append(frame.data)
      for packet in frame.packets { try receiver.feed(packet, at: .ms(Double(number) * 33)) }
      received += receiver.drainFrames(at: .ms(Double(number) * 33)).map(\.data)
    }
    #expect(received == Array(expected.dropLast()))
  }

  @Test func `a marker that comes too early costs one frame, then it is not trusted`() throws {
    var source = VideoSource()
    let receiver = VideoReceiver.make()
    var expected: [[UInt8]] = []
    var received: [[UInt8]] = []
    for number in 0..<8 {
      let now = Instant.ms(Double(number) * 33)
      var frame = try source.nextFrame()
      frame.packets[1][1] |= 0x80
      expected.append(frame.data)
      for packet in frame.packets {
        try receiver.feed(packet, at: now)
        received += receiver.drainFrames(at: now).map(\.data)
      }
      if receiver.drainFeedback(at: now).contains(where: \.isPictureLoss) { source.needsKeyframe = true }
    }
    #expect(received.dropFirst().allSatisfy { expected.contains($0) })
    #expect(received.count >= 5)
  }

  @Test func `a new SSRC takes over, and stragglers of the old one do not turn it back`() throws {
    var first = VideoSource()
    var second = VideoSource(sequence: 7, timestamp: 99, seed: 2)
    second.ssrc = 0x3333
    let receiver = VideoReceiver.make()
    for packet in try first.nextFrame().packets { try receiver.feed(packet, at: .ms(0)) }
    #expect(receiver.drainFrames(at: .ms(0)).count == 1)
    let straggler = try first.nextFrame()
    let frame = try second.nextFrame()
    for (index, packet) in frame.packets.enumerated() {
      try receiver.feed(packet, at: .ms(33))
      if index < straggler.packets.count { try receiver.feed(straggler.packets[index], at: .ms(33)) }
    }
    #expect(receiver.drainFrames(at: .ms(33)).map(\.data) == [frame.data])
    #expect(receiver.mediaSSRC == 0x3333)
    #expect(receiver.statistics.packetsReceived == UInt64(16))
  }

  @Test func `while nobody reads, nothing is kept or asked for`() throws {
    var source = VideoSource()
    let pool = PacketPool()
    let receiver = VideoReceiver(
      configuration: VideoReceiverConfiguration(formats: RecordedStream.formats, localSSRC: 1), pool: pool)
    receiver.isEnabled = false
    for number in 0..<18_000 {
      let now = Instant.ms(Double(number) * 33)
      let frame = try source.nextFrame()
      for packet in frame.packets.dropFirst(number % 7 == 0 ? 1 : 0) {
        let buffer = pool.take()
        try buffer.append(packet)
        let header = try RTPHeader(bytes: packet)
        receiver.handle(buffer, header: header, at: now)
      }
      #expect(receiver.nextFrame(at: now) == nil)
      #expect(receiver.nextFeedback(at: now) == nil)
      #expect(receiver.nextTimeout == nil)
    }
    #expect(receiver.statistics.packetsReceived > 50_000)
    receiver.isEnabled = true
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(600_000)) }
    #expect(receiver.drainFeedback(at: .ms(600_010)).contains { $0.isPictureLoss })
  }

  @Test func `a stream that never has a keyframe stays within the packet limit`() throws {
    var source = VideoSource()
    _ = try source.nextFrame()
    let pool = PacketPool(limit: 10_000)
    var configuration = VideoReceiverConfiguration(formats: RecordedStream.formats, localSSRC: 1)
    configuration.maximumPackets = 256
    let receiver = VideoReceiver(configuration: configuration, pool: pool)
    for number in 0..<3000 {
      for packet in try source.nextFrame().packets {
        let buffer = pool.take()
        try buffer.append(packet)
        let header = try RTPHeader(bytes: packet)
        receiver.handle(buffer, header: header, at: .ms(Double(number) * 33))
      }
      #expect(receiver.nextFrame(at: .ms(Double(number) * 33)) == nil)
    }
    #expect(pool.allocations < 1000)
  }

  @Test func `with a playout delay frames come out evenly though they arrive in bursts`() throws {
    var source = VideoSource()
    let receiver = VideoReceiver.make { $0.playoutDelay = .milliseconds(80) }
    var due: [Double] = []
    var arrivals: [(Double, [[UInt8]])] = []
    for number in 0..<60 {
      let jitter = number % 3 == 0 ? 0.0 : number % 3 == 1 ? 40 : 8
      arrivals.append((Double(number) * 33 + jitter, try source.nextFrame().packets))
    }
    for time in 0..<2200 {
      for arrival in arrivals where arrival.0 >= Double(time) && arrival.0 < Double(time + 1) {
        for packet in arrival.1 { try receiver.feed(packet, at: .ms(Double(time))) }
      }
      receiver.handleTimeout(at: .ms(Double(time)))
      due += receiver.drainFrames(at: .ms(Double(time))).map { _ in Double(time) }
    }
    #expect(due.count == 60)
    let steps = zip(due, due.dropFirst()).map { $1 - $0 }
    #expect(steps.dropFirst(3).allSatisfy { abs($0 - 33) <= 3 })
  }

  @Test func `without NACK a hole asks for a keyframe once reordering is out of question`() throws {
    var source = VideoSource()
    let receiver = VideoReceiver.make { $0.canRequestRetransmission = false }
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(0)) }
    _ = receiver.drainFrames(at: .ms(0))
    for packet in try source.nextFrame().packets.dropFirst() { try receiver.feed(packet, at: .ms(33)) }
    for packet in try source.nextFrame().packets { try receiver.feed(packet, at: .ms(66)) }
    #expect(receiver.drainFeedback(at: .ms(66)).isEmpty || receiver.nextTimeout != nil)
    receiver.handleTimeout(at: .ms(97))
    let feedback = receiver.drainFeedback(at: .ms(97))
    #expect(feedback.allSatisfy { $0.isPictureLoss })
  }

  @Test func `report blocks count losses, and name the last sender report`() throws {
    var source = VideoSource(sequence: 65_530)
    let receiver = VideoReceiver.make()
    for number in 0..<10 {
      for (index, packet) in try source.nextFrame().packets.enumerated() where index != 1 {
        try receiver.feed(packet, at: .ms(Double(number) * 33))
      }
    }
    receiver.handle(
      SenderReport(
        ssrc: VideoSource.mediaSSRC, ntpTime: NTPTime(rawValue: 0x1111_2222_3333_0000), rtpTimestamp: 9000,
        packetCount: 0, octetCount: 0), at: .ms(300))
    let block = try #require(receiver.takeReportBlock(at: .ms(800)))
    #expect(block.cumulativeLost == 10)
    #expect(block.fractionLost == UInt8(10 * 256 / 35))
    #expect(block.highestSequence == 0x1_0000 + 28)
    #expect(block.lastSenderReport == 0x2222_3333)
    #expect(block.delaySinceLastSenderReport == 32_768)
    let time = try #require(receiver.captureTime(rtpTimestamp: 9000 + 45_000))
    #expect(time.rawValue == 0x1111_2222_3333_0000 + 0x8000_0000)
  }
}
