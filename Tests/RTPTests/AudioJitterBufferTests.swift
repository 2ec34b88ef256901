import RTP
import TestSupport
import Testing
import WireFormat

/// Plays a jitter buffer as the audio thread does, 10 ms at a time.
private struct AudioPlayer {
  var buffer = AudioJitterBuffer()
  var queued = 0
  var decoded: [UInt32] = []
  var operations: [AudioPlayoutOperation] = []
  var concealed = 0
  var silent = 0
  var recovered = 0
  var delays: [Interval] = []

  mutating func play(at now: Instant) {
    var rounds = 0
    while queued < 480 {
      rounds += 1
      guard rounds < 20 else {
        Issue.record("the buffer gives no samples")
        return
      }
      let operation = buffer.next(at: now, queuedSamples: queued)
      operations.append(operation)
      switch operation {
      case .decode(let packet, let adjustment):
        decoded.append(packet.timestamp)
        delays.append(now - packet.arrival)
        queued += 960
        if adjustment == .shorten { queued -= 240 }
        if adjustment == .lengthen { queued += 240 }
      case .recover(_, let samples):
        recovered += 1
        queued += samples
      case .conceal(let samples):
        concealed += samples
        queued += samples
      case .silence(let samples, _):
        silent += samples
        queued += samples
      case .resetDecoder: break
      }
    }
    queued -= 480
  }
}

private func packet(
  _ sequence: Int, timestamp: Int, at now: Instant, ssrc: UInt32 = 1, marker: Bool = false,
  payload: [UInt8] = [0x78, 0, 1, 2]
) -> ReceivedAudioPacket {
  ReceivedAudioPacket(
    ssrc: ssrc, sequenceNumber: UInt16(truncatingIfNeeded: sequence),
    timestamp: UInt32(truncatingIfNeeded: timestamp), marker: marker, payload: payload, arrival: now)
}

@Suite struct AudioJitterBufferTests {
  /// Plays packets that arrive at given times (ms); numbers and timestamps run on, over both wraps.
  private func run(
    _ arrivals: [Double?], seconds: Double? = nil, playEvery: Double = 10,
    payload: (Int) -> [UInt8] = { _ in [0x78, 0, 1, 2] }
  ) -> AudioPlayer {
    var player = AudioPlayer()
    var pending = arrivals.enumerated().compactMap { index, time in time.map { (index, $0) } }
    pending.sort { $0.1 < $1.1 }
    var position = 0
    let end = (seconds ?? Double(arrivals.count) * 0.02 - 0.02) * 1000
    for time in stride(from: 0, to: end, by: playEvery) {
      while position < pending.count, pending[position].1 <= time {
        let (index, at) = pending[position]
        player.buffer.insert(
          packet(
            65_500 + index, timestamp: 0xFFFF_F000 + index * 960, at: .ms(at), payload: payload(index)))
        position += 1
      }
      player.play(at: .ms(time))
    }
    return player
  }

  @Test func `a steady stream is played whole, soon, and over the wraps`() {
    let player = run((0..<500).map { Double($0) * 20 })
    #expect(player.decoded.count >= 495)
    #expect(zip(player.decoded, player.decoded.dropFirst()).allSatisfy { $1 &- $0 == 960 })
    #expect(player.concealed == 0 || player.concealed <= 960)
    #expect(player.delays.suffix(100).allSatisfy { $0 <= .milliseconds(60) })
  }

  @Test func `reordered packets are put in order, duplicates played once`() {
    var times: [Double?] = (0..<200).map { Double($0) * 20 }
    for index in stride(from: 10, to: 190, by: 10) { times.swapAt(index, index + 1) }
    let player = run(times)
    #expect(zip(player.decoded, player.decoded.dropFirst()).allSatisfy { $1.isNewer(than: $0) })
    #expect(player.decoded.count >= 190)
  }

  @Test func `jitter raises the delay until concealment stops, and calm lowers it again`() {
    var random = RandomSource(seed: 3)
    let rough: [Double?] = (0..<1000).map { Double($0) * 20 + random.unit() * 80 }
    let calm: [Double?] = (1000..<3000).map { Double($0) * 20 + 5 }
    let player = run(rough + calm)
    let lateConcealment = player.operations.suffix(1500).count {
      if case .conceal = $0 { true } else { false }
    }
    #expect(lateConcealment == 0)
    #expect(player.buffer.targetDelay < .milliseconds(60))
    let middle = player.delays[600..<900].map(\.inMilliseconds).reduce(0, +) / 300
    #expect(middle > 30)
    let end = player.delays.suffix(300).map(\.inMilliseconds).reduce(0, +) / 300
    #expect(end < 70)
    #expect(player.buffer.statistics.packetsLate < 30)
  }

  @Test func `a lost packet is concealed once, and the rest keeps its time`() {
    var times: [Double?] = (0..<200).map { Double($0) * 20 }
    for index in stride(from: 20, to: 200, by: 20) { times[index] = nil }
    let player = run(times)
    #expect(player.buffer.statistics.packetsLost == 9)
    #expect(player.concealed <= 9 * 960 + 960)
    #expect(player.decoded.count >= 185)
  }

  @Test func `a lost packet whose copy came with the next is recovered`() {
    var times: [Double?] = (0..<100).map { Double($0) * 20 }
    times[50] = nil
    // SILK wideband 20 ms with the LBRR flag set.
    let player = run(times) { _ in [0x48, 0x40, 1, 2] }
    #expect(player.recovered == 1)
    #expect(player.buffer.statistics.packetsRecovered == 1)
    #expect(player.concealed <= 960)
  }

  @Test func `a sender's silence is no loss and no jitter`() {
    var player = AudioPlayer()
    var arrivals: [(Double, ReceivedAudioPacket)] = []
    var time = 0.0
    var timestamp = 0
    var sequence = 0
    func add(_ marker: Bool = false) {
      arrivals.append((time, packet(sequence, timestamp: timestamp, at: .ms(time), marker: marker)))
      sequence += 1
    }
    for _ in 0..<50 {
      add()
      time += 20
      timestamp += 960
    }
    for _ in 0..<5 {
      time += 380
      timestamp += 19_200 - 960
      add()
      time += 20
      timestamp += 960
    }
    for index in 0..<100 {
      add(index == 0)
      time += 20
      timestamp += 960
    }
    var position = 0
    for now in stride(from: 0, to: time + 200, by: 10) {
      while position < arrivals.count, arrivals[position].0 <= now {
        player.buffer.insert(arrivals[position].1)
        position += 1
      }
      player.play(at: .ms(now))
    }
    #expect(player.buffer.statistics.packetsLost == 0)
    #expect(player.buffer.statistics.packetsDiscarded == 0)
    #expect(player.decoded.count >= 154)
    #expect(player.buffer.targetDelay <= .milliseconds(50))
    // The first pause can't be told from loss until its end; the others are short bridges.
    #expect(player.concealed <= 4800 + 6 * 1440)
    #expect(player.delays.suffix(50).allSatisfy { $0 <= .milliseconds(80) })
  }

  @Test func `a sender that freezes its timestamp over a pause adds no delay`() {
    var player = AudioPlayer()
    var position = 0
    let arrivals = (0..<300).map { index in
      (Double(index) * 20 + (index >= 100 ? 2000 : 0), index)
    }
    for now in stride(from: 0, to: 8200.0, by: 10) {
      while position < arrivals.count, arrivals[position].0 <= now {
        let (at, index) = arrivals[position]
        player.buffer.insert(packet(index, timestamp: index * 960, at: .ms(at), marker: index == 100))
        position += 1
      }
      player.play(at: .ms(now))
    }
    #expect(player.decoded.count >= 295)
    #expect(player.buffer.statistics.packetsLost == 0)
    #expect(player.delays.suffix(100).allSatisfy { $0 <= .milliseconds(80) })
  }

  @Test func `timestamps that are off by a few samples change nothing`() {
    var player = AudioPlayer()
    for index in 0..<200 {
      let now = Instant.ms(Double(index) * 20)
      player.buffer.insert(packet(index, timestamp: index * 960 + index % 5, at: now))
      player.play(at: now)
      player.play(at: now + .milliseconds(10))
    }
    #expect(player.decoded.count >= 195)
    #expect(player.silent <= 2880)
    #expect(player.concealed <= 960)
  }

  @Test(arguments: [9.98, 10.02])
  func `clocks that drift apart are kept together`(period: Double) {
    let player = run((0..<6000).map { Double($0) * 20 }, seconds: 119.9, playEvery: period)
    #expect(player.delays.suffix(100).allSatisfy { $0 <= .milliseconds(100) })
    #expect(player.concealed < 4800)
    #expect(player.buffer.statistics.packetsLost < 5)
  }

  @Test func `a new stream resets the decoder once and goes on`() {
    var player = AudioPlayer()
    for index in 0..<100 {
      let now = Instant.ms(Double(index) * 20)
      let isSecond = index >= 50
      player.buffer.insert(
        packet(
          isSecond ? 7 + index : index, timestamp: (isSecond ? 99_999_999 : 0) + index * 960, at: now,
          ssrc: isSecond ? 2 : 1))
      player.play(at: now)
      player.play(at: now + .milliseconds(10))
    }
    #expect(player.operations.count { $0 == .resetDecoder } == 1)
    #expect(player.decoded.count >= 93)
  }

  @Test func `a burst after an outage is cut down at once`() {
    let times: [Double?] = (0..<300).map { index in
      let time = Double(index) * 20
      return time > 1000 && time < 2000 ? 2000 : time
    }
    let player = run(times)
    #expect(player.delays.suffix(50).allSatisfy { $0 <= .milliseconds(300) })
  }

  // A runtime of the older line sends at once what piled up while the connection was being built: seconds.
  @Test func `what piled up before the first packet came is not played`() {
    let backlog: [Double?] = (0..<190).map { Double($0) * 1.7 }
    let live: [Double?] = (0..<400).map { 330 + Double($0) * 20 }
    let player = run(backlog + live, seconds: 8)
    #expect(player.delays.dropFirst(60).allSatisfy { $0 <= .milliseconds(120) })
    #expect(player.concealed == 0)
  }

  @Test func `nobody playing keeps memory bounded`() {
    var buffer = AudioJitterBuffer()
    for index in 0..<10_000 {
      buffer.insert(packet(index, timestamp: index * 960, at: .ms(Double(index) * 20)))
    }
    #expect(buffer.bufferedSamples <= 100 * 960)
    #expect(buffer.statistics.packetsDiscarded == 9900)
  }

  @Test func `random packets and times never stop the output`() {
    for seed in 0..<50 as Range<UInt64> {
      var random = RandomSource(seed: seed)
      var player = AudioPlayer()
      for step in 0..<400 {
        let now = Instant.ms(Double(step) * 10)
        for _ in 0..<Int(random.next() % 4) {
          let wild = random.next() % 8 == 0
          player.buffer.insert(
            packet(
              wild ? Int(random.uint16()) : step / 2 + Int(random.next() % 6),
              timestamp: wild ? Int(random.uint32()) : (step / 2) * 960, at: now,
              ssrc: random.next() % 60 == 0 ? 2 : 1, payload: random.bytes(Int(random.next() % 6))))
        }
        player.play(at: now)
      }
    }
  }
}

@Suite struct AudioTimeStretchTests {
  @Test(arguments: [PlayoutAdjustment.shorten, .lengthen], [1, 2])
  func `a tone is stretched by whole periods without a step`(adjustment: PlayoutAdjustment, channels: Int) {
    // 200 Hz: a period of 240 samples, as a triangle.
    var samples: [Int16] = []
    for index in 0..<960 {
      let phase = index % 240
      let value = phase < 120 ? phase * 100 - 6000 : (240 - phase) * 100 - 6000
      for _ in 0..<channels { samples.append(Int16(value)) }
    }
    let change = AudioTimeStretch.apply(adjustment, to: &samples, channels: channels)
    #expect(abs(change) == 240 || abs(change) == 480)
    #expect(samples.count == (960 + change) * channels)
    for index in channels..<samples.count {
      #expect(abs(Int(samples[index]) - Int(samples[index - channels])) <= 300)
    }
  }

  @Test func `loud noise is left alone, silence is cut`() {
    var random = RandomSource(seed: 1)
    var noise = (0..<960).map { _ in Int16(truncatingIfNeeded: random.next()) }
    #expect(AudioTimeStretch.apply(.shorten, to: &noise, channels: 1) == 0)
    var quiet = [Int16](repeating: 0, count: 960)
    #expect(AudioTimeStretch.apply(.shorten, to: &quiet, channels: 1) == -480)
    var short = [Int16](repeating: 0, count: 480)
    #expect(AudioTimeStretch.apply(.lengthen, to: &short, channels: 1) == 0)
  }
}
