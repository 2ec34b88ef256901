import RTP
import TestSupport
import Testing
import WireFormat

/// A transport with one video and one audio track, and the packets that left it.
private struct Bench {
  static let extensions = HeaderExtensionMap([
    (2, .absoluteSendTime), (3, .transportSequenceNumber), (4, .mid), (1, .audioLevel), (5, .playoutDelay),
  ])

  let pool = PacketPool()
  let transport: SendTransport
  let video: Int
  let audio: Int
  var now = Instant.origin + .seconds(100)

  init(
    codec: VideoCodec = .vp8, rtx: Bool = true, metadata: Bool = false, seed: UInt64 = 1,
    bounds: BitrateBounds = BitrateBounds(start: 2_000_000)
  ) {
    var settings = SendTransport.Settings()
    settings.bounds = bounds
    settings.canonicalName = "name"
    transport = SendTransport(
      settings: settings, clock: WallClock(unixNanoseconds: 1_700_000_000_000_000_000, at: now), pool: pool,
      random: RandomSource(seed: seed))
    let parameters = StreamParameters(
      ssrc: 0x1111, payloadType: 96, clockRate: 90_000,
      rtx: rtx ? RTXParameters(ssrc: 0x2222, payloadType: 97) : nil, mid: "0", extensions: Bench.extensions)
    video =
      transport.addVideo(
        parameters, codec: codec, limits: TrackBitrateLimits(maximum: 2_500_000),
        appendsFrameMetadata: metadata, at: now) ?? -1
    audio =
      transport.addAudio(
        StreamParameters(
          ssrc: 0x3333, payloadType: 111, clockRate: 48_000, mid: "1", extensions: Bench.extensions),
        limits: TrackBitrateLimits(maximum: 64_000), at: now) ?? -1
  }

  /// What may leave now.
  func drain() -> [[UInt8]] {
    var packets: [[UInt8]] = []
    while let buffer = transport.nextTransmit(at: now) {
      packets.append(buffer.bytes.copyBytes())
      pool.give(buffer)
    }
    return packets
  }

  /// Lets time pass until `end`, and gives what left.
  mutating func run(for span: Interval) -> [[UInt8]] {
    let end = now + span
    var packets = drain()
    while let next = transport.nextTimeout(), next < end {
      now = max(now, next) + .microseconds(1)
      transport.handleTimeout(at: now)
      packets += drain()
      _ = transport.nextReports(at: now)
    }
    now = end
    return packets
  }

  func events() -> [SendEvent] {
    var events: [SendEvent] = []
    while let event = transport.nextEvent() { events.append(event) }
    return events
  }

  func frame(
    _ size: Int, codec: VideoCodec = .vp8, key: Bool = false, timestamp: UInt32 = 0,
    metadata: FrameMetadata? = nil
  ) -> EncodedVideoFrame {
    EncodedVideoFrame(
      codec: codec, data: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }, isKeyframe: key,
      rtpTimestamp: timestamp, width: 640, height: 480, metadata: metadata)
  }

  func header(_ packet: [UInt8]) throws -> RTPHeader { try RTPHeader(parsing: packet.rawSpan) }

  func values(_ packet: [UInt8]) throws -> RTPExtensionValues {
    RTPExtensionValues(of: try header(packet), in: packet.rawSpan, map: Bench.extensions)
  }

  func payload(_ packet: [UInt8]) throws -> [UInt8] { Array(packet[try header(packet).payloadRange]) }

  /// The frame that VP8 or VP9 packets carry.
  func reassemble(_ packets: [[UInt8]], codec: VideoCodec) throws -> [UInt8] {
    var frame: [UInt8] = []
    for packet in packets {
      let payload = try payload(packet)
      let parsed = try VideoPayload(parsing: payload.rawSpan, codec: codec)
      frame += payload[parsed.bitstreamOffset...]
    }
    return frame
  }
}

@Suite struct SendTransportTests {
  @Test(arguments: VideoCodec.allCases)
  func `a frame leaves in order, whole and within the packet size`(codec: VideoCodec) throws {
    var bench = Bench(codec: codec)
    let frame = bench.frame(20_000, codec: codec, key: true, timestamp: 3000)
    #expect(bench.transport.send(frame, track: bench.video, at: bench.now) == .queued)
    let packets = try bench.run(for: .milliseconds(200)).filter { try bench.header($0).ssrc == 0x1111 }
    #expect(try bench.reassemble(packets, codec: codec) == frame.data)
    let headers = try packets.map { try bench.header($0) }
    #expect(headers.allSatisfy { $0.payloadType == 96 && $0.timestamp == headers[0].timestamp })
    #expect(packets.allSatisfy { $0.count <= 1200 })
    #expect(headers.map(\.marker) == headers.indices.map { $0 == headers.count - 1 })
    for (first, second) in zip(headers, headers.dropFirst()) {
      #expect(second.sequenceNumber == first.sequenceNumber &+ 1)
    }
    #expect(headers[0].sequenceNumber < 0x8000)
  }

  @Test func `a keyframe's packets ask the receiver to hold nothing back, and other frames say nothing`()
    throws
  {
    var bench = Bench()
    _ = bench.transport.send(bench.frame(5000, key: true), track: bench.video, at: bench.now)
    let first = try bench.run(for: .milliseconds(100)).filter { try bench.header($0).ssrc == 0x1111 }
    #expect(first.count >= 5)
    for packet in first {
      let wish = try #require(try bench.values(packet).playoutDelay)
      #expect(wish.minimum == .zero && wish.maximum == .zero)
    }
    _ = bench.transport.send(bench.frame(5000, timestamp: 3000), track: bench.video, at: bench.now)
    let second = try bench.run(for: .milliseconds(100)).filter { try bench.header($0).ssrc == 0x1111 }
    #expect(second.count >= 5)
    #expect(try second.allSatisfy { try bench.values($0).playoutDelay == nil })
  }

  @Test func `timestamps keep the frames' distances from a random start`() throws {
    var starts: Set<UInt32> = []
    for seed: UInt64 in 1...3 {
      var bench = Bench(seed: seed)
      var stamps: [UInt32] = []
      for step: UInt32 in 0..<3 {
        _ = bench.transport.send(
          bench.frame(100, key: step == 0, timestamp: step &* 3000 &- 3000), track: bench.video, at: bench.now
        )
        let packets = bench.run(for: .milliseconds(33))
        stamps.append(try bench.header(packets[0]).timestamp)
      }
      #expect(stamps[1] &- stamps[0] == 3000)
      #expect(stamps[2] &- stamps[1] == 3000)
      starts.insert(stamps[0])
    }
    #expect(starts.count == 3)
  }

  @Test func `send time and transport number are those of the moment it leaves`() throws {
    var bench = Bench()
    _ = bench.transport.send(bench.frame(30_000, key: true), track: bench.video, at: bench.now)
    var last: (number: UInt16, time: UInt32)?
    var count = 0
    let end = bench.now + .milliseconds(300)
    while let next = bench.transport.nextTimeout(), next < end {
      bench.now = max(bench.now, next)
      bench.transport.handleTimeout(at: bench.now)
      for packet in bench.drain() {
        let values = try bench.values(packet)
        let number = try #require(values.transportSequenceNumber)
        let time = try #require(values.absoluteSendTime)
        let expected = UInt32((bench.now.nanoseconds / 1000 * 262_144 / 1_000_000) & 0xFF_FFFF)
        #expect(abs(Int(time) - Int(expected)) <= 1)
        if let last { #expect(number == last.number &+ 1 && time >= last.time) }
        last = (number, time)
        count += 1
      }
      _ = bench.transport.nextReports(at: bench.now)
      bench.now += .microseconds(1)
    }
    #expect(count > 20)
  }

  @Test func `the mid is written until the peer has reported on the stream`() throws {
    var bench = Bench()
    _ = bench.transport.send(bench.frame(100, key: true), track: bench.video, at: bench.now)
    #expect(try bench.values(bench.run(for: .milliseconds(10))[0]).mid == "0")
    bench.transport.handle(
      .receiverReport(ReceiverReport(ssrc: 9, reports: [ReportBlock(ssrc: 0x1111)])), at: bench.now)
    _ = bench.transport.send(bench.frame(100), track: bench.video, at: bench.now)
    let packets = try bench.run(for: .milliseconds(10)).filter { try bench.header($0).ssrc == 0x1111 }
    #expect(try bench.values(packets[0]).mid == nil)
  }

  @Test func `a missing packet is sent again as RTX, once a round trip`() throws {
    var bench = Bench()
    _ = bench.transport.send(bench.frame(5000, key: true), track: bench.video, at: bench.now)
    let original = try bench.run(for: .milliseconds(100)).filter { try bench.header($0).ssrc == 0x1111 }[2]
    let lost = try bench.header(original).sequenceNumber
    let nack = RTCPPacket.nack(GenericNACK(senderSSRC: 9, mediaSSRC: 0x1111, lost: [lost]))
    bench.transport.handle(nack, at: bench.now)
    bench.transport.handle(nack, at: bench.now)
    let packets = try bench.run(for: .milliseconds(20)).filter { try bench.payload($0).count > 2 }
    let repeated = try packets.filter { try bench.header($0).ssrc == 0x2222 }
    #expect(repeated.count == 1)
    let header = try bench.header(repeated[0])
    #expect(header.payloadType == 97)
    #expect(header.marker == (try bench.header(original).marker))
    #expect(header.timestamp == (try bench.header(original).timestamp))
    let expected = [UInt8(lost >> 8), UInt8(lost & 0xFF)] + (try bench.payload(original))
    #expect(try bench.payload(repeated[0]) == expected)
    #expect(
      try bench.values(repeated[0]).transportSequenceNumber != bench.values(original).transportSequenceNumber)
    #expect(bench.transport.statistics(track: bench.video)?.retransmittedPacketsSent == 1)
    #expect(bench.transport.statistics(track: bench.video)?.nackCount == 2)
  }

  @Test func `a packet whose repair was lost as well is sent twice`() throws {
    var bench = Bench()
    _ = bench.transport.send(bench.frame(5000, key: true), track: bench.video, at: bench.now)
    let original = try bench.run(for: .milliseconds(100)).filter { try bench.header($0).ssrc == 0x1111 }[2]
    let lost = try bench.header(original).sequenceNumber
    var repairs: [Int] = []
    for _ in 0..<3 {
      bench.transport.handle(
        .nack(GenericNACK(senderSSRC: 9, mediaSSRC: 0x1111, lost: [lost])), at: bench.now)
      let packets = try bench.run(for: .milliseconds(110)).filter { try bench.payload($0).count > 2 }
      repairs.append(try packets.filter { try bench.header($0).ssrc == 0x2222 }.count)
    }
    #expect(repairs == [1, 2, 2])
    #expect(bench.transport.statistics(track: bench.video)?.retransmittedPacketsSent == 5)
  }

  @Test func `without RTX the packet itself is sent again`() throws {
    var bench = Bench(rtx: false)
    _ = bench.transport.send(bench.frame(3000, key: true), track: bench.video, at: bench.now)
    let original = bench.run(for: .milliseconds(100))[1]
    let lost = try bench.header(original).sequenceNumber
    bench.transport.handle(
      .nack(GenericNACK(senderSSRC: 9, mediaSSRC: 0x1111, lost: [lost, lost &+ 100])), at: bench.now)
    let repeated = bench.run(for: .milliseconds(20))
    #expect(repeated.count == 1)
    #expect(try bench.header(repeated[0]).sequenceNumber == lost)
    #expect(try bench.payload(repeated[0]) == bench.payload(original))
  }

  @Test func `the trailer is written only where it was declared and the frame has one`() throws {
    let metadata = FrameMetadata(captureTimeUs: 77, userData: [1, 2, 3])
    for isDeclared in [false, true] {
      var bench = Bench(metadata: isDeclared)
      var received: [FrameMetadata?] = []
      for (index, value) in [metadata, nil, metadata].enumerated() {
        let frame = bench.frame(100, key: index == 0, metadata: value)
        _ = bench.transport.send(frame, track: bench.video, at: bench.now)
        let packets = try bench.run(for: .milliseconds(20)).filter { try bench.header($0).ssrc == 0x1111 }
        var data = try bench.reassemble(packets, codec: .vp8)
        received.append(FrameMetadataTrailer.strip(from: &data))
        #expect(data == frame.data)
      }
      #expect(received.map { $0?.frameID } == (isDeclared ? [1, nil, 2] : [nil, nil, nil]))
      #expect(received[0]?.userData == (isDeclared ? [1, 2, 3] : nil))
    }
  }

  @Test func `100 PLIs within a second reach the encoder at most twice`() {
    var bench = Bench()
    _ = bench.transport.send(bench.frame(5000, key: true), track: bench.video, at: bench.now)
    _ = bench.run(for: .seconds(2))
    _ = bench.events()
    var requests = 0
    for _ in 0..<100 {
      bench.transport.handle(
        .pictureLossIndication(PictureLossIndication(senderSSRC: 9, mediaSSRC: 0x1111)), at: bench.now)
      _ = bench.run(for: .milliseconds(10))
      for case .keyframeRequested(let track) in bench.events() {
        #expect(track == bench.video)
        requests += 1
        _ = bench.transport.send(bench.frame(20_000, key: true), track: bench.video, at: bench.now)
      }
    }
    #expect(requests == 2)
    #expect(bench.transport.statistics(track: bench.video)?.pliCount == 100)
  }

  @Test func `a FIR with the same number forces no second keyframe`() {
    var bench = Bench()
    let request = RTCPPacket.fullIntraRequest(
      FullIntraRequest(senderSSRC: 9, entries: [.init(ssrc: 0x1111, sequenceNumber: 4)]))
    bench.transport.handle(request, at: bench.now)
    #expect(bench.events().contains(.keyframeRequested(track: bench.video)))
    _ = bench.transport.send(bench.frame(5000, key: true), track: bench.video, at: bench.now)
    _ = bench.run(for: .seconds(2))
    bench.transport.handle(request, at: bench.now)
    _ = bench.run(for: .seconds(2))
    #expect(!bench.events().contains(.keyframeRequested(track: bench.video)))
  }

  @Test func `a full queue gives up whole frames until a keyframe`() {
    var bench = Bench(bounds: BitrateBounds(minimum: 30_000, start: 30_000, maximum: 30_000))
    _ = bench.events()
    var outcomes: [SendOutcome] = []
    for step in 0..<4 {
      outcomes.append(
        bench.transport.send(bench.frame(40_000, key: step == 0), track: bench.video, at: bench.now))
    }
    #expect(outcomes == [.queued, .queueFull, .awaitingKeyframe, .awaitingKeyframe])
    _ = bench.run(for: .seconds(12))
    #expect(bench.events().contains(.keyframeRequested(track: bench.video)))
    #expect(bench.transport.send(bench.frame(400), track: bench.video, at: bench.now) == .awaitingKeyframe)
    #expect(bench.transport.send(bench.frame(400, key: true), track: bench.video, at: bench.now) == .queued)
    #expect(bench.transport.statistics(track: bench.video)?.framesDropped == 4)
  }

  @Test func `audio timestamps run through a pause of 2 s, and the marker starts the talk`() throws {
    var bench = Bench()
    var headers: [RTPHeader] = []
    var levels: [UInt8?] = []
    for step in 0..<6 {
      if step == 3 { _ = bench.run(for: .seconds(2)) }
      _ = bench.transport.send(
        audio: [UInt8](repeating: 0x78, count: 80).rawSpan, sampleCount: 960,
        level: AudioLevel(level: UInt8(30 + step), isVoice: true), track: bench.audio, capturedAt: bench.now,
        at: bench.now)
      for packet in bench.run(for: .milliseconds(20)) {
        headers.append(try bench.header(packet))
        levels.append(try bench.values(packet).audioLevel?.level)
      }
    }
    #expect(headers.map(\.marker) == [true, false, false, true, false, false])
    let steps = zip(headers, headers.dropFirst()).map { $1.timestamp &- $0.timestamp }
    #expect(steps == [960, 960, 960 + 96_000, 960, 960])
    let numbers = zip(headers, headers.dropFirst()).map { $1.sequenceNumber &- $0.sequenceNumber }
    #expect(numbers == [1, 1, 1, 1, 1])
    #expect(levels == [30, 31, 32, 33, 34, 35])
  }

  @Test func `silence that the encoder leaves out costs no number and no time`() throws {
    var bench = Bench()
    var headers: [RTPHeader] = []
    for step in 0..<10 {
      let payload = [UInt8](repeating: 0x78, count: (3..<8).contains(step) ? 1 : 80)
      _ = bench.transport.send(
        audio: payload.rawSpan, sampleCount: 960, level: nil, track: bench.audio, capturedAt: bench.now,
        at: bench.now)
      headers += try bench.run(for: .milliseconds(20)).map { try bench.header($0) }
    }
    #expect(headers.count == 5)
    #expect(headers.map(\.marker) == [true, false, false, true, false])
    #expect(headers[3].timestamp &- headers[2].timestamp == 6 * 960)
    #expect(headers[3].sequenceNumber == headers[2].sequenceNumber &+ 1)
  }

  @Test func `sender reports map both tracks to one clock and are followed by the name`() throws {
    var bench = Bench()
    _ = bench.transport.send(bench.frame(3000, key: true, timestamp: 9000), track: bench.video, at: bench.now)
    _ = bench.transport.send(
      audio: [UInt8](repeating: 1, count: 50).rawSpan, sampleCount: 960, level: nil, track: bench.audio,
      capturedAt: bench.now, at: bench.now)
    let packets = bench.drain()
    let audioPacket = try #require(try packets.first { try bench.header($0).ssrc == 0x3333 })
    #expect(bench.transport.nextReports(at: bench.now).isEmpty)
    bench.now += .milliseconds(500)
    _ = bench.drain()
    let reports = bench.transport.nextReports(at: bench.now)
    guard case .senderReport(let video) = reports.first,
      case .senderReport(let audio) = reports.dropFirst().first,
      case .sourceDescription(let description) = reports.last
    else {
      Issue.record("two reports and a description")
      return
    }
    #expect(video.ssrc == 0x1111 && audio.ssrc == 0x3333)
    #expect(video.ntpTime == NTPTime(unixNanoseconds: 1_700_000_000_500_000_000))
    #expect(audio.rtpTimestamp == (try bench.header(audioPacket).timestamp) &+ 24_000)
    #expect(audio.packetCount == 1 && audio.octetCount == 50)
    #expect(description.chunks.map(\.canonicalName) == ["name", "name"])
    #expect(bench.transport.nextReports(at: bench.now).isEmpty)
    let due = try #require(bench.transport.nextTimeout())
    #expect(due <= bench.now + .milliseconds(1200))
    let bytes = RTCPCompound(reports).serialized()
    #expect(try RTCPCompound(parsing: bytes.rawSpan).packets == reports)
  }

  @Test func `a report gives loss, jitter and the round trip`() {
    var bench = Bench()
    _ = bench.transport.send(bench.frame(100, key: true), track: bench.video, at: bench.now)
    _ = bench.drain()
    bench.now += .seconds(1)
    guard case .senderReport(let sent) = bench.transport.nextReports(at: bench.now).first else {
      Issue.record("a report is due")
      return
    }
    bench.now += .milliseconds(150)
    bench.transport.handle(
      .receiverReport(
        ReceiverReport(
          ssrc: 9,
          reports: [
            ReportBlock(
              ssrc: 0x1111, fractionLost: 64, cumulativeLost: 7, highestSequence: 5, jitter: 99,
              lastSenderReport: sent.ntpTime.compact, delaySinceLastSenderReport: 65_536 / 10)
          ])), at: bench.now)
    let statistics = bench.transport.statistics(track: bench.video)
    #expect(statistics?.fractionLost == 0.25)
    #expect(statistics?.packetsLost == 7)
    #expect(statistics?.jitter == 99)
    #expect(abs((statistics?.roundTripTime ?? .zero).inMilliseconds - 50) < 1)
    #expect(statistics?.roundTripTimeMeasurements == 1)
  }

  @Test func `a removed track says goodbye and sends nothing more`() throws {
    var bench = Bench()
    _ = bench.transport.send(bench.frame(30_000, key: true), track: bench.video, at: bench.now)
    _ = bench.drain()
    bench.transport.remove(track: bench.video, at: bench.now)
    #expect(bench.transport.send(bench.frame(100), track: bench.video, at: bench.now) == .unknownTrack)
    let reports = bench.transport.nextReports(at: bench.now)
    #expect(reports.last == .goodbye(Goodbye(sources: [0x1111, 0x2222])))
    let packets = bench.run(for: .seconds(1))
    #expect(try packets.allSatisfy { try bench.header($0).ssrc == 0x3333 })
  }

  @Test func `limits of a track and of the connection both hold`() {
    var bench = Bench(bounds: BitrateBounds(start: 2_000_000))
    func target(_ events: [SendEvent]) -> Int? {
      var result: Int?
      for case .targetBitrateChanged(let track, let bitrate) in events where track == bench.video {
        result = bitrate
      }
      return result
    }
    #expect(target(bench.events()) == 2_000_000 - 64_000)
    bench.transport.setLimits(TrackBitrateLimits(maximum: 700_000), track: bench.video, at: bench.now)
    #expect(target(bench.events()) == 700_000)
    bench.transport.setBounds(
      BitrateBounds(start: 300_000, maximum: 300_000), restart: false, at: bench.now)
    #expect(target(bench.events()) == 300_000 - 64_000)
    bench.transport.setActive(false, track: bench.audio, at: bench.now)
    #expect(target(bench.events()) == 300_000)
    bench.now += .seconds(1)
  }

  @Test func `padding fills the first probes and says that it is padding`() throws {
    var bench = Bench(bounds: BitrateBounds(start: 400_000))
    _ = bench.transport.send(bench.frame(500, key: true), track: bench.video, at: bench.now)
    let packets = bench.run(for: .milliseconds(100))
    let padding = try packets.filter { try bench.header($0).ssrc == 0x2222 }
    #expect(padding.count >= 6)
    for packet in padding {
      let header = try bench.header(packet)
      #expect(header.payloadType == 97)
      #expect(try bench.values(packet).transportSequenceNumber != nil)
      // Either nothing but padding, or a packet sent before.
      #expect(header.paddingCount > 0 ? header.payloadRange.isEmpty : header.payloadRange.count > 2)
    }
    let numbers = try padding.map { try bench.header($0).sequenceNumber }
    for (first, second) in zip(numbers, numbers.dropFirst()) { #expect(second == first &+ 1) }
  }
}
