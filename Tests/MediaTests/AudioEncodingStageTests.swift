import Codecs
import Media
import Testing
import WireFormat

/// The audio track's sending machine on a virtual clock.
@Suite struct AudioEncodingStageTests {
  final class Bench {
    let stage: AudioEncodingStage
    var now = Instant.origin
    var packets: [(at: Instant, packet: EncodedAudioPacket)] = []

    init(_ configuration: AudioSendConfiguration = AudioSendConfiguration()) {
      stage = AudioEncodingStage(configuration)
    }

    /// Lets time pass to `time`, serving timeouts on the way.
    func run(to time: Instant) throws {
      while let timeout = stage.nextTimeout(), timeout <= time {
        now = max(now, timeout)
        let before = packets.count
        try drain()
        if packets.count == before, stage.nextTimeout() == timeout { break }
      }
      now = time
    }

    func push(milliseconds: Int, rate: Int = 48_000, channels: Int = 1) throws {
      let count = rate * milliseconds / 1000 * channels
      try stage.insert(
        [Int16](repeating: 1000, count: count), sampleRate: rate, channels: channels)
      try drain()
    }

    func drain() throws {
      while let packet = try stage.nextPacket(at: now) { packets.append((now, packet)) }
    }

    var timestamps: [UInt32] { packets.map(\.packet.rtpTimestamp) }
  }

  static func at(_ milliseconds: Int64) -> Instant { .origin + .milliseconds(milliseconds) }

  @Test(arguments: [1, 5, 10, 20, 30, 60])
  func `chunks of any length become packets of 20 ms at once`(_ length: Int) throws {
    let bench = Bench()
    for start in stride(from: 0, to: 1200, by: length) {
      try bench.run(to: Self.at(Int64(start)))
      try bench.push(milliseconds: length)
    }
    #expect(bench.timestamps == (0..<60).map { UInt32($0 * 960) })
    #expect(bench.packets.allSatisfy { !$0.packet.isSilence })
    #expect(bench.packets.map(\.packet.isTalkSpurtStart) == [true] + [Bool](repeating: false, count: 59))
    // Nothing is held back: each packet leaves at the push that completed it.
    for (number, entry) in bench.packets.enumerated() {
      let complete =
        (Int64(number + 1) * 20 + Int64(length) - 1) / Int64(length) * Int64(length) - Int64(length)
      #expect(entry.at == Self.at(complete))
    }
  }

  @Test func `a push of a second leaves at its own pace, and the next one follows on`() throws {
    let bench = Bench()
    for second in 0..<5 as Range<Int64> {
      try bench.run(to: Self.at(second * 1000))
      try bench.push(milliseconds: 1000)
    }
    try bench.run(to: Self.at(5000))
    #expect(bench.timestamps == (0..<250).map { UInt32($0 * 960) })
    #expect(bench.packets.allSatisfy { !$0.packet.isSilence })
    for (number, entry) in bench.packets.enumerated() {
      let even = Int64(number) * 20
      #expect(entry.at >= Self.at(even - 130) && entry.at <= Self.at(even + 1))
    }
  }

  @Test func `a pause of two seconds is filled with silence that keeps the clock`() throws {
    let bench = Bench()
    for start in stride(from: 0, to: 1000, by: 10) as StrideTo<Int64> {
      try bench.run(to: Self.at(start))
      try bench.push(milliseconds: 10)
    }
    for start in stride(from: 3000, to: 4000, by: 10) as StrideTo<Int64> {
      try bench.run(to: Self.at(start))
      try bench.push(milliseconds: 10)
    }
    // Contiguous samples, no packet skipped, and after the pause the time line has not slipped.
    #expect(bench.timestamps == (0..<UInt32(bench.packets.count)).map { $0 * 960 })
    let silent = bench.packets.filter(\.packet.isSilence)
    #expect(abs(silent.count - 100) <= 1)
    #expect(silent.first.map { $0.at <= Self.at(1100) } == true)
    let first = bench.packets.first { $0.at >= Self.at(3000) && !$0.packet.isSilence }
    let stamp = Int64(first?.packet.rtpTimestamp ?? 0) / 48
    #expect(abs(stamp - 3000) <= 20)
  }

  @Test func `many short pauses do not add up to a stretched clock`() throws {
    let bench = Bench()
    for minute in 0..<60 as Range<Int64> {
      for start in stride(from: 0, to: 500, by: 20) as StrideTo<Int64> {
        try bench.run(to: Self.at(minute * 1000 + start))
        try bench.push(milliseconds: 20)
      }
    }
    let last = bench.packets.last
    #expect(abs(Int64(last?.packet.rtpTimestamp ?? 0) / 48 - (59_000 + 480)) <= 40)
  }

  @Test func `silence ends at its limit, and the timestamp counts on in whole packets`() throws {
    let bench = Bench(AudioSendConfiguration(silenceLimit: .seconds(1)))
    try bench.push(milliseconds: 40)
    try bench.run(to: Self.at(60_003))
    #expect(bench.packets.count == 2 + 50)
    #expect(bench.stage.nextTimeout() == nil)
    try bench.push(milliseconds: 20)
    let last = try #require(bench.packets.last?.packet)
    #expect(last.isTalkSpurtStart && !last.isSilence)
    #expect(last.rtpTimestamp % 960 == 0)
    #expect(abs(Int64(last.rtpTimestamp) / 48 - 60_003) <= 20)
  }

  @Test func `a clock that is slow by 100 ppm hears no silence and loses nothing`() throws {
    let bench = Bench()
    for number in 0..<30_000 as Range<Int64> {
      try bench.run(to: .origin + .nanoseconds(number * 10_001_000))
      try bench.push(milliseconds: 10)
    }
    #expect(bench.packets.allSatisfy { !$0.packet.isSilence })
    #expect(bench.packets.count == 15_000)
  }

  @Test func `a clock that is fast by 1000 ppm builds no backlog`() throws {
    let bench = Bench()
    for number in 0..<30_000 as Range<Int64> {
      try bench.run(to: .origin + .nanoseconds(number * 9_990_000))
      try bench.push(milliseconds: 10)
      #expect(bench.stage.backlog <= .milliseconds(20))
    }
    #expect(bench.packets.count == 15_000)
  }

  @Test func `a change of format drops what does not fill a packet`() throws {
    let bench = Bench()
    try bench.push(milliseconds: 25)
    try bench.push(milliseconds: 20, channels: 2)
    #expect(bench.timestamps == [0, 960])
    let stereo = bench.packets.map { packet in packet.packet.payload.first.map { $0 & 4 != 0 } }
    #expect(stereo == [false, true])
    try bench.push(milliseconds: 100, rate: 16_000)
    #expect(bench.packets.last?.packet.payload.first.map { $0 & 4 } == 0)
  }

  @Test(arguments: [8000, 16_000, 24_000, 32_000, 44_100, 48_000], [1, 2])
  func `a minute of a tone is a minute of packets at every rate`(_ rate: Int, _ channels: Int) throws {
    let bench = Bench()
    for number in 0..<1000 as Range<Int64> {
      try bench.run(to: Self.at(number * 10))
      try bench.stage.insert(
        [Int16](repeating: 500, count: rate / 100 * channels), sampleRate: rate, channels: channels)
      try bench.drain()
    }
    // The resampler holds a few milliseconds back: at most the last packet is still incomplete.
    #expect((499...500).contains(bench.packets.count))
    #expect(bench.packets.allSatisfy { !$0.packet.isSilence })
  }

  @Test func `with DTX silence leaves no packets, and the next sound starts a talk spurt`() throws {
    let bench = Bench(AudioSendConfiguration(usesDTX: true, isSpeech: true))
    func push(_ value: (Int) -> Int16, packets: Int, from: Int64) throws {
      for number in 0..<packets {
        try bench.run(to: Self.at(from + Int64(number) * 20))
        try bench.stage.insert(
          (0..<960).map { value(number * 960 + $0) }, sampleRate: 48_000, channels: 1)
        try bench.drain()
      }
    }
    let buzz: (Int) -> Int16 = { Int16(($0 * 300) % 16_000 - 8000) }
    try push(buzz, packets: 50, from: 0)
    try push({ _ in 0 }, packets: 200, from: 1000)
    try push(buzz, packets: 10, from: 5000)
    let quiet = bench.packets.filter { $0.at >= Self.at(2000) && $0.at < Self.at(5000) }
    #expect(quiet.count < 20)
    let first = try #require(bench.packets.first { $0.at >= Self.at(5000) })
    #expect(first.packet.isTalkSpurtStart && first.packet.rtpTimestamp == 250 * 960)
  }
}
