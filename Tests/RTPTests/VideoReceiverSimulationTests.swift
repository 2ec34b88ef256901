import RTP
import TestSupport
import Testing
import WireFormat

/// A sender and a receiver over a link that loses, delays and reorders, on the virtual clock.
struct ReceiverCall {
  enum Item {
    case media([UInt8])
    case feedback([UInt8])
  }

  var source: VideoSource
  let receiver: VideoReceiver
  var forward: LinkEmulator<Item>
  var backward: LinkEmulator<Item>
  let roundTrip: Interval
  private(set) var deliveries: [Instant] = []
  private(set) var keyframeDeliveries: [Instant] = []
  private(set) var corrupt = 0
  private(set) var requestsSent = 0
  private var sentData: [UInt32: [UInt8]] = [:]
  private var now = Instant.origin
  private var nextFrameAt = Instant.origin
  private var lastKeyframe = Instant.origin - .seconds(10)

  init(
    seed: UInt64, oneWayMilliseconds: Double, codec: VideoCodec = .vp8,
    conditions: (inout LinkEmulator<Item>.Conditions) -> Void = { _ in }
  ) {
    source = VideoSource(codec: codec, seed: seed)
    source.packetsPerFrame = 10
    source.packetsPerKeyframe = 30
    receiver = VideoReceiver.make()
    roundTrip = .milliseconds(2 * oneWayMilliseconds)
    receiver.roundTripTime = roundTrip
    var there = LinkEmulator<Item>.Conditions()
    there.delayMilliseconds = oneWayMilliseconds
    conditions(&there)
    var back = LinkEmulator<Item>.Conditions()
    back.delayMilliseconds = oneWayMilliseconds
    back.loss = there.loss
    forward = LinkEmulator(there, seed: seed &* 2 &+ 1)
    backward = LinkEmulator(back, seed: seed &* 2 &+ 2)
  }

  mutating func run(for span: Interval) throws {
    let end = now + span
    while true {
      var next = nextFrameAt
      for time in [forward.nextArrival, backward.nextArrival, receiver.nextTimeout] {
        if let time { next = min(next, max(time, now)) }
      }
      guard next < end else { break }
      now = next
      try step()
    }
    now = end
  }

  private mutating func step() throws {
    if nextFrameAt <= now {
      let timestamp = source.timestamp
      let frame = try source.nextFrame()
      sentData[timestamp] = frame.data
      for packet in frame.packets { forward.send(.media(packet), bytes: packet.count, at: now) }
      nextFrameAt = nextFrameAt + .milliseconds(33)
    }
    while case .media(let packet)? = forward.receive(at: now) { try receiver.feed(packet, at: now) }
    receiver.handleTimeout(at: now)
    for frame in receiver.drainFrames(at: now) {
      if sentData[frame.rtpTimestamp] != frame.data { corrupt += 1 }
      deliveries.append(now)
      if frame.isKeyframe { keyframeDeliveries.append(now) }
    }
    for packet in receiver.drainFeedback(at: now) {
      requestsSent += packet.lost.count
      let bytes = RTCPCompound([packet]).serialized()
      backward.send(.feedback(bytes), bytes: bytes.count, at: now)
    }
    while case .feedback(let bytes)? = backward.receive(at: now) { try answer(bytes) }
  }

  private mutating func answer(_ bytes: [UInt8]) throws {
    for packet in try RTCPCompound(bytes: bytes).packets {
      if packet.isPictureLoss, now - lastKeyframe > .milliseconds(300) {
        source.needsKeyframe = true
        lastKeyframe = now
      }
      for number in packet.lost {
        for repair in try source.retransmissions(of: number, at: now, roundTrip: roundTrip) {
          forward.send(.media(repair), bytes: repair.count, at: now)
        }
      }
    }
  }

  /// Gaps between neighbouring deliveries, longest first, and when each began.
  var freezes: [(span: Interval, from: Instant)] {
    zip(deliveries, deliveries.dropFirst()).map { ($1 - $0, $0) }.sorted { $0.0 > $1.0 }
  }
}

@Suite struct VideoReceiverSimulationTests {
  @Test(arguments: [0.5, 1, 2], [10.0, 25, 50, 100])
  func `up to two percent loss freezes the picture for two round trips and a frame at most`(
    percent: Double, oneWay: Double
  ) throws {
    for seed in 0..<4 as Range<UInt64> {
      var call = ReceiverCall(seed: seed, oneWayMilliseconds: oneWay) { $0.loss = percent / 100 }
      try call.run(for: .seconds(20))
      #expect(call.corrupt == 0)
      #expect(call.deliveries.count > 550)
      // The gap between two pictures is a frame as it is; a last packet is missed with the next frame's first.
      let limit: Interval = call.roundTrip + call.roundTrip + .milliseconds(73 as Int64)
      let spans: [Double] = call.freezes.filter { $0.span > limit }.map { $0.span.inMilliseconds }
      #expect(spans.isEmpty, "seed \(seed): \(spans)")
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `burst loss, reordering, duplication and jitter damage no frame`(seed: UInt64) throws {
    var call = ReceiverCall(seed: seed, oneWayMilliseconds: 20) {
      $0.loss = 0.01
      $0.burstContinuation = 0.6
      $0.reorder = 0.05
      $0.reorderMilliseconds = 8
      $0.duplication = 0.02
      $0.jitterMilliseconds = 10
    }
    try call.run(for: .seconds(30))
    #expect(call.corrupt == 0)
    #expect(call.deliveries.count > 800)
    #expect((call.freezes.first?.span ?? .zero) < .milliseconds(500))
  }

  @Test(arguments: VideoCodec.allCases)
  func `after an outage of half a second the picture is back within two round trips of the keyframe`(
    codec: VideoCodec
  ) throws {
    for seed in 0..<8 as Range<UInt64> {
      var call = ReceiverCall(seed: seed, oneWayMilliseconds: 25, codec: codec)
      try call.run(for: .seconds(2))
      call.forward.conditions.isDown = true
      try call.run(for: .milliseconds(500))
      call.forward.conditions.isDown = false
      try call.run(for: .seconds(3))
      #expect(call.corrupt == 0)
      let longest = try #require(call.freezes.first)
      // Outage, the wait for the next frame, detection and repair.
      #expect(longest.span < .milliseconds(706 as Int64), "seed \(seed)")
      #expect(call.keyframeDeliveries.count <= 3)
    }
  }

  @Test func `the same seed gives the same call`() throws {
    var calls = [ReceiverCall(seed: 9, oneWayMilliseconds: 30) { $0.loss = 0.05 }]
    calls.append(ReceiverCall(seed: 9, oneWayMilliseconds: 30) { $0.loss = 0.05 })
    for index in calls.indices { try calls[index].run(for: .seconds(5)) }
    #expect(calls[0].deliveries == calls[1].deliveries)
  }

  @Test func `heavy loss keeps memory and requests bounded, and the picture comes back`() throws {
    var call = ReceiverCall(seed: 4, oneWayMilliseconds: 40) { $0.loss = 0.25 }
    try call.run(for: .seconds(20))
    #expect(call.corrupt == 0)
    #expect(call.requestsSent < 6200 * 4)
    call.forward.conditions.loss = 0
    call.backward.conditions.loss = 0
    let before = call.deliveries.count
    try call.run(for: .seconds(3))
    #expect(call.deliveries.count - before > 80)
  }
}
