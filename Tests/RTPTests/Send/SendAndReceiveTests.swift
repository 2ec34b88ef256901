import RTP
import TestSupport
import Testing
import WireFormat

/// A video track from encoder to decoder over a bottleneck, both ends whole, on the virtual clock.
private struct BottleneckCall {
  static let extensions = HeaderExtensionMap([
    (2, .absoluteSendTime), (3, .transportSequenceNumber), (4, .mid),
  ])

  let pool = PacketPool(limit: 4096)
  let transport: SendTransport
  let track: Int
  let receiver: VideoReceiver
  var generator = TransportFeedbackGenerator(localSSRC: 9)
  var forward: LinkEmulator<[UInt8]>
  var backward: LinkEmulator<[UInt8]>
  var now = Instant.origin + .seconds(100)
  var target = 0
  var framesSent = 0
  var wantsKeyframe = true
  /// When each frame reached the decoder, and how long after its capture.
  var received: [(at: Instant, delay: Interval)] = []
  var longestQueue = Interval.zero
  private var captured: [UInt32: Instant] = [:]
  private var nextFrame: Instant
  private var random: RandomSource

  init(capacity: Double, loss: Double, delayMilliseconds: Double, rtx: Bool = true, seed: UInt64) {
    var settings = SendTransport.Settings()
    settings.bounds = BitrateBounds(start: 1_000_000)
    random = RandomSource(seed: seed)
    transport = SendTransport(
      settings: settings, clock: WallClock(unixNanoseconds: 1_700_000_000_000_000_000, at: .origin),
      pool: pool, random: RandomSource(seed: seed &+ 1))
    let parameters = StreamParameters(
      ssrc: 0x1111, payloadType: 96, clockRate: 90_000,
      rtx: rtx ? RTXParameters(ssrc: 0x2222, payloadType: 97) : nil, mid: "0", extensions: Self.extensions)
    track =
      transport.addVideo(
        parameters, codec: .vp8, limits: TrackBitrateLimits(maximum: 8_000_000), appendsFrameMetadata: false,
        at: now) ?? -1
    var configuration = VideoReceiverConfiguration(
      formats: [96: .media(.vp8), 97: .retransmission(associated: 96)], localSSRC: 9)
    configuration.signalledSSRC = 0x1111
    receiver = VideoReceiver(configuration: configuration, pool: pool)
    receiver.roundTripTime = .milliseconds(2 * delayMilliseconds)
    var conditions = LinkEmulator<[UInt8]>.Conditions()
    conditions.loss = loss
    conditions.delayMilliseconds = delayMilliseconds
    backward = LinkEmulator(conditions, seed: seed &+ 2)
    conditions.bitsPerSecond = capacity
    conditions.queueBytes = Int(capacity / 16)
    forward = LinkEmulator(conditions, seed: seed &+ 3)
    nextFrame = now
  }

  mutating func run(for span: Interval) {
    let end = now + span
    while now < end {
      step()
      var next = min(end, nextFrame)
      for time in [
        transport.nextTimeout(), forward.nextArrival, backward.nextArrival, generator.nextTimeout,
        receiver.nextTimeout,
      ] {
        if let time { next = min(next, time) }
      }
      now = max(next, now + .microseconds(20))
    }
  }

  private mutating func step() {
    if now >= nextFrame { encode() }
    transport.handleTimeout(at: now)
    while let bytes = backward.receive(at: now) {
      guard let compound = try? RTCPCompound(parsing: bytes.rawSpan) else { continue }
      for packet in compound.packets { transport.handle(packet, at: now) }
    }
    while let event = transport.nextEvent() {
      switch event {
      case .targetBitrateChanged(_, let bitrate): target = bitrate
      case .keyframeRequested: wantsKeyframe = true
      }
    }
    while let buffer = transport.nextTransmit(at: now) {
      forward.send(buffer.bytes.copyBytes(), bytes: buffer.count, at: now)
      pool.give(buffer)
    }
    longestQueue = max(longestQueue, forward.queueDelay(at: now))
    _ = transport.nextReports(at: now)
    receive()
  }

  private mutating func encode() {
    nextFrame = nextFrame + .nanoseconds(33_333_333)
    guard transport.backlog < .milliseconds(150) else { return }
    let usual = Double(target) / 8 / 30 * (0.9 + 0.2 * random.unit())
    var data = random.bytes(max(60, Int(wantsKeyframe ? usual * 4 : usual)))
    data[0] = wantsKeyframe ? data[0] & 0xFE : data[0] | 1
    let timestamp = UInt32(truncatingIfNeeded: framesSent * 3000)
    let frame = EncodedVideoFrame(
      codec: .vp8, data: data, isKeyframe: wantsKeyframe, rtpTimestamp: timestamp, width: 640, height: 480)
    wantsKeyframe = false
    framesSent += 1
    captured[UInt32(framesSent)] = now
    _ = transport.send(frame, track: track, at: now)
  }

  private mutating func receive() {
    while let bytes = forward.receive(at: now) {
      guard let header = try? RTPHeader(parsing: bytes.rawSpan) else { continue }
      let values = RTPExtensionValues(of: header, in: bytes.rawSpan, map: Self.extensions)
      if let number = values.transportSequenceNumber {
        generator.handle(sequenceNumber: number, mediaSSRC: 0x1111, at: now)
      }
      let buffer = pool.take()
      try? buffer.append(bytes.rawSpan)
      receiver.handle(buffer, header: header, at: now)
    }
    receiver.handleTimeout(at: now)
    while receiver.nextFrame(at: now) != nil {
      let sent = captured[UInt32(received.count + 1)] ?? now
      received.append((now, now - sent))
    }
    var packets: [RTCPPacket] = []
    while let packet = receiver.nextFeedback(at: now) { packets.append(packet) }
    while let feedback = generator.nextFeedback(at: now) { packets.append(.transportFeedback(feedback)) }
    guard !packets.isEmpty else { return }
    let bytes = RTCPCompound(packets).serialized()
    backward.send(bytes, bytes: bytes.count, at: now)
  }

  /// The longest time without a frame after the first.
  var longestFreeze: Interval {
    zip(received, received.dropFirst()).reduce(.zero) { max($0, $1.1.at - $1.0.at) }
  }
}

@Suite struct SendAndReceiveTests {
  @Test(arguments: [UInt64(1), 2, 3], [true, false])
  func `2 % loss costs no frame, and the bandwidth is found`(seed: UInt64, rtx: Bool) {
    var call = BottleneckCall(capacity: 2_000_000, loss: 0.02, delayMilliseconds: 25, rtx: rtx, seed: seed)
    call.run(for: .seconds(20))
    #expect(call.received.count >= call.framesSent - 15)
    #expect(Double(call.target) > 0.8 * 2_000_000 && Double(call.target) < 1.15 * 2_000_000)
    let repaired = call.transport.statistics(track: call.track)?.retransmittedPacketsSent ?? 0
    #expect(repaired > 20)
    #expect(call.longestFreeze < .milliseconds(400))
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `on a fast short path a frame is at the decoder within a few milliseconds`(seed: UInt64) {
    var call = BottleneckCall(capacity: 100_000_000, loss: 0, delayMilliseconds: 1, seed: seed)
    call.run(for: .seconds(10))
    #expect(call.received.count >= call.framesSent - 1)
    let delays = call.received.dropFirst(60).map(\.delay).sorted()
    #expect(delays[delays.count / 2] < .milliseconds(11))
    #expect(delays[delays.count - 1] < .milliseconds(30))
  }

  @Test(arguments: [UInt64(1), 2])
  func `after an outage the picture is back by a keyframe`(seed: UInt64) {
    var call = BottleneckCall(capacity: 3_000_000, loss: 0, delayMilliseconds: 25, seed: seed)
    call.run(for: .seconds(5))
    call.forward.conditions.isDown = true
    call.run(for: .milliseconds(500))
    call.forward.conditions.isDown = false
    let before = call.received.count
    call.run(for: .seconds(2))
    #expect(call.received.count > before + 25)
  }
}
