import Codecs
import TestSupport
import Testing
import WireFormat

@Suite struct AudioResamplerTests {
  static func run(_ resampler: AudioResampler, _ input: [Int16], chunks: () -> Int) throws -> [Int16] {
    var output: [Int16] = []
    var position = 0
    while position < input.count {
      let count = min(max(1, chunks()) * resampler.channels, input.count - position)
      var room = [Int16](
        repeating: 0, count: resampler.capacity(for: count / resampler.channels) * resampler.channels)
      let step = try input[position..<position + count].withUnsafeBufferPointer { input in
        try room.withUnsafeMutableBufferPointer { try resampler.process(input, into: $0) }
      }
      #expect(step.read * resampler.channels == count)
      output += room[..<(step.written * resampler.channels)]
      position += count
    }
    return output
  }

  @Test(arguments: [8000, 16_000, 24_000, 32_000, 44_100])
  func `a tone keeps 70 dB on its way to 48 kHz, and its pitch`(_ rate: Int) throws {
    let resampler = try AudioResampler(channels: 1, from: rate)
    let output = try Self.run(resampler, tone(440, frames: rate * 2, rate: rate)) { rate / 100 }
    #expect(abs(output.count - 96_000) <= 2)
    let snr = toneSNR(output[24_000..<72_000], 440)
    print("resampler \(rate): \(snr) dB, delay \(Double(resampler.delay) / 48) ms")
    #expect(snr > 70)
    #expect(resampler.delay <= 48 * 8)
  }

  @Test func `the output does not depend on how the input is cut`() throws {
    let input = tone(1000, frames: 44_100, rate: 44_100, channels: 2)
    let whole = try Self.run(try AudioResampler(channels: 2, from: 44_100), input) { 44_100 }
    for seed in 0..<10 as Range<UInt64> {
      var random = RandomSource(seed: seed)
      let pieces = try Self.run(try AudioResampler(channels: 2, from: 44_100), input) {
        1 + Int(random.uint16() % 700)
      }
      #expect(pieces == whole, "seed \(seed)")
    }
  }

  @Test func `stereo channels stay apart`() throws {
    var input: [Int16] = []
    for sample in tone(500, frames: 16_000, rate: 16_000) { input += [sample, 0] }
    let output = try Self.run(try AudioResampler(channels: 2, from: 16_000), input) { 160 }
    let right = stride(from: 1, to: output.count, by: 2).map { abs(Int(output[$0])) }
    #expect(right.max() == 0)
  }

  @Test(arguments: [(0, 48_000), (3, 48_000), (1, 0), (1, 7999), (2, 200_000), (1, -5)])
  func `other formats are refused`(_ channels: Int, _ rate: Int) {
    #expect(throws: CodecError.self) { _ = try AudioResampler(channels: channels, from: rate) }
  }
}
