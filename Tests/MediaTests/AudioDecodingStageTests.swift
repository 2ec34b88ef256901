import Codecs
import Media
import RTP
import Testing
import WireFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Both ends of an audio track on one virtual clock.
final class AudioLoop {
  let sender = AudioEncodingStage(AudioSendConfiguration())
  let receiver = AudioDecodingStage()
  var now = Instant.origin
  var output: [Int16] = []
  /// Packets on their way, by arrival.
  private var flight: [(at: Instant, packet: ReceivedAudioPacket)] = []
  private var sequence: UInt16 = 65_500
  private var nextFrame = Instant.origin + .milliseconds(3)

  /// Encodes what was inserted; each packet takes `delay`, nil loses it.
  func send(delay: (UInt16) -> Interval?) throws {
    while let packet = try sender.nextPacket(at: now) {
      sequence &+= 1
      guard let delay = delay(sequence) else { continue }
      let arrival = now + delay
      let received = ReceivedAudioPacket(
        ssrc: 1, sequenceNumber: sequence, timestamp: packet.rtpTimestamp &+ 4_294_900_000,
        marker: packet.isTalkSpurtStart, payload: packet.payload, arrival: arrival)
      let place = flight.lastIndex { $0.at <= arrival }.map { $0 + 1 } ?? 0
      flight.insert((arrival, received), at: place)
    }
  }

  /// Lets packets arrive and frames be played until `time`.
  func play(to time: Instant) {
    while nextFrame <= time {
      while let first = flight.first, first.at <= nextFrame {
        receiver.insert(first.packet)
        flight.removeFirst()
      }
      receiver.nextFrame(at: nextFrame) { output.append(contentsOf: $0) }
      nextFrame += .milliseconds(10)
    }
    now = time
  }
}

@Suite struct AudioDecodingStageTests {
  static func tone(_ frequency: Double, from start: Int, count: Int) -> [Int16] {
    (start..<start + count).map { Int16(12_000 * sin(2 * Double.pi * frequency * Double($0) / 48_000)) }
  }

  /// Signal over noise of each tenth of a second against the best sine of `frequency`.
  static func ratios(_ samples: [Int16], _ frequency: Double) -> [Double] {
    stride(from: 0, to: samples.count - 4799, by: 4800).map { start in
      var (ss, sc, cc, ys, yc, yy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
      for index in 0..<4800 {
        let phase = 2 * Double.pi * frequency * Double(index) / 48_000
        let (s, c, y) = (sin(phase), cos(phase), Double(samples[start + index]))
        ss += s * s
        sc += s * c
        cc += c * c
        ys += y * s
        yc += y * c
        yy += y * y
      }
      let determinant = ss * cc - sc * sc
      let a = (ys * cc - yc * sc) / determinant
      let b = (yc * ss - ys * sc) / determinant
      let noise = max(yy - a * ys - b * yc, 1e-6)
      return 10 * log10(max(yy - noise, 1e-6) / noise)
    }
  }

  @Test func `a minute of 440 Hz keeps 40 dB from push to frame, without a click`() throws {
    let loop = AudioLoop()
    for block in 0..<6000 {
      try loop.sender.insert(
        Self.tone(440, from: block * 480, count: 480), sampleRate: 48_000, channels: 1)
      try loop.send { _ in .milliseconds(15) }
      loop.play(to: .origin + .milliseconds(Int64(block + 1) * 10))
    }
    // The first second holds the buffer's filling and the codec's start.
    let ratios = Self.ratios(Array(loop.output[48_000...]), 440)
    print("audio loop: worst tenth \(ratios.min() ?? 0) dB, playout \(loop.receiver.playout)")
    #expect(ratios.count >= 585)
    #expect(ratios.allSatisfy { $0 > 34 })
    #expect(ratios.reduce(0, +) / Double(ratios.count) > 40)
    var steepest = 0
    for index in 48_001..<loop.output.count {
      steepest = max(steepest, abs(Int(loop.output[index]) - Int(loop.output[index - 1])))
    }
    // A sine of this size and pitch rises by 691 a sample.
    #expect(steepest < 900)
  }

  @Test func `jitter of 40 ms and reordering are not heard once the delay has adapted`() throws {
    var random = RandomSource(seed: 11)
    let loop = AudioLoop()
    for block in 0..<3000 {
      try loop.sender.insert(
        Self.tone(440, from: block * 480, count: 480), sampleRate: 48_000, channels: 1)
      try loop.send { _ in .milliseconds(Int64(20 + random.uint16() % 40)) }
      loop.play(to: .origin + .milliseconds(Int64(block + 1) * 10))
    }
    let ratios = Self.ratios(Array(loop.output[(48_000 * 10)...]), 440)
    #expect(Double(ratios.filter { $0 > 20 }.count) > 0.9 * Double(ratios.count))
    #expect(loop.receiver.decodeErrors == 0)
  }

  @Test func `one packet of twenty lost stays sound, never silence`() throws {
    let loop = AudioLoop()
    for block in 0..<1000 {
      try loop.sender.insert(
        Self.tone(440, from: block * 480, count: 480), sampleRate: 48_000, channels: 1)
      try loop.send { $0 % 20 == 7 ? nil : .milliseconds(10) }
      loop.play(to: .origin + .milliseconds(Int64(block + 1) * 10))
    }
    for start in stride(from: 48_000, to: loop.output.count - 480, by: 480) {
      let energy = loop.output[start..<start + 480].reduce(0.0) { $0 + Double($1) * Double($1) } / 480
      #expect(energy > 1e7)
    }
  }

  @Test func `a pause in the pushes is silence of its own length, and no old sound repeats`() throws {
    let loop = AudioLoop()
    for block in 0..<600 {
      // Two seconds of sound, two of nothing, two of sound.
      if !(200..<400).contains(block) {
        try loop.sender.insert(
          Self.tone(440, from: block * 480, count: 480), sampleRate: 48_000, channels: 1)
      }
      try loop.send { _ in .milliseconds(10) }
      loop.play(to: .origin + .milliseconds(Int64(block + 1) * 10))
    }
    func energy(_ from: Int, _ to: Int) -> Double {
      let part = loop.output[(from * 48)..<min(to * 48, loop.output.count)]
      return part.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, part.count))
    }
    #expect(energy(1000, 1900) > 5e7)
    #expect(energy(2400, 3900) < 100)
    #expect(energy(4400, 5900) > 5e7)
  }

  @Test func `stereo from the first stereo packet on`() throws {
    let loop = AudioLoop()
    for block in 0..<100 {
      let channels = block < 50 ? 1 : 2
      try loop.sender.insert(
        [Int16](repeating: 300, count: 480 * channels), sampleRate: 48_000, channels: channels)
      try loop.send { _ in .zero }
      loop.play(to: .origin + .milliseconds(Int64(block + 1) * 10))
    }
    #expect(loop.receiver.channels == 2)
    #expect(loop.receiver.decodeErrors == 0)
  }

  @Test func `packets that are no Opus are sound or silence, and the next good one plays`() throws {
    var random = RandomSource(seed: 5)
    let loop = AudioLoop()
    for number in 0..<500 as Range<UInt16> {
      loop.receiver.insert(
        ReceivedAudioPacket(
          ssrc: 9, sequenceNumber: number, timestamp: UInt32(number) * 960,
          payload: random.bytes(Int(random.uint16() % 80)),
          arrival: .origin + .milliseconds(Int64(number) * 20)))
      loop.play(to: .origin + .milliseconds(Int64(number) * 20))
    }
    #expect(loop.output.count >= 998 * 480)
  }

  @Test func `a stream that ended leaves the receiver idle after a second`() throws {
    let loop = AudioLoop()
    #expect(loop.receiver.isIdle)
    for block in 0..<50 {
      try loop.sender.insert(
        Self.tone(440, from: block * 480, count: 480), sampleRate: 48_000, channels: 1)
      try loop.send { _ in .zero }
      loop.play(to: .origin + .milliseconds(Int64(block + 1) * 10))
    }
    #expect(!loop.receiver.isIdle)
    loop.play(to: .origin + .seconds(5))
    #expect(loop.receiver.isIdle)
  }
}
