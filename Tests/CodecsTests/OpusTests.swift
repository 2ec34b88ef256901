import Codecs
import TestSupport
import Testing
import WireFormat
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

func tone(
  _ frequency: Double, frames: Int, rate: Int = 48_000, channels: Int = 1, from start: Int = 0
) -> [Int16] {
  var samples: [Int16] = []
  samples.reserveCapacity(frames * channels)
  for index in start..<start + frames {
    let value = Int16(12_000 * sin(2 * Double.pi * frequency * Double(index) / Double(rate)))
    for _ in 0..<channels { samples.append(value) }
  }
  return samples
}

/// Signal over noise in decibels of a mono tone: what a least-squares sine of that frequency leaves over.
func toneSNR(_ samples: ArraySlice<Int16>, _ frequency: Double, rate: Double = 48_000) -> Double {
  var (ss, sc, cc, ys, yc) = (0.0, 0.0, 0.0, 0.0, 0.0)
  for (index, sample) in samples.enumerated() {
    let phase = 2 * Double.pi * frequency * Double(index) / rate
    let (s, c) = (sin(phase), cos(phase))
    ss += s * s
    sc += s * c
    cc += c * c
    ys += Double(sample) * s
    yc += Double(sample) * c
  }
  let determinant = ss * cc - sc * sc
  let a = (ys * cc - yc * sc) / determinant
  let b = (yc * ss - ys * sc) / determinant
  var (signal, noise) = (0.0, 0.0)
  for (index, sample) in samples.enumerated() {
    let phase = 2 * Double.pi * frequency * Double(index) / rate
    let fit = a * sin(phase) + b * cos(phase)
    signal += fit * fit
    noise += (Double(sample) - fit) * (Double(sample) - fit)
  }
  return 10 * log10(signal / max(noise, 1e-9))
}

@Suite struct OpusTests {
  static func encode(_ encoder: OpusEncoder, _ samples: ArraySlice<Int16>) throws -> [UInt8] {
    var packet = [UInt8](repeating: 0, count: OpusEncoder.maximumPacketSize)
    let length = try samples.withUnsafeBufferPointer { samples in
      try packet.withUnsafeMutableBytes { try encoder.encode(samples, into: $0) }
    }
    return Array(packet[..<length])
  }

  static func decode(_ decoder: OpusDecoder, _ packet: [UInt8]) throws -> [Int16] {
    var output = [Int16](repeating: 0, count: OpusDecoder.maximumFrames * decoder.channels)
    let count = try packet.withUnsafeBytes { packet in
      try output.withUnsafeMutableBufferPointer { try decoder.decode(packet, into: $0) }
    }
    return Array(output[..<(count * decoder.channels)])
  }

  @Test(arguments: [1, 2])
  func `a tone survives at 40 dB`(_ channels: Int) throws {
    let encoder = try OpusEncoder(OpusEncoder.Settings(channels: channels))
    let decoder = try OpusDecoder(channels: channels)
    let samples = tone(440, frames: 48_000 * 4, channels: channels)
    var output: [Int16] = []
    var bytes = 0
    for start in stride(from: 0, to: samples.count, by: 960 * channels) {
      let packet = try Self.encode(encoder, samples[start..<start + 960 * channels])
      bytes += packet.count
      output += try Self.decode(decoder, packet)
    }
    let left = stride(from: 0, to: output.count, by: channels).map { output[$0] }
    let snr = toneSNR(left[48_000...], 440)
    print("Opus \(channels) channels: \(snr) dB at \(bytes * 2) bit/s")
    #expect(snr > 40)
    #expect(bytes * 2 < (channels == 1 ? 72_000 : 144_000))
  }

  @Test(arguments: [120, 240, 480, 960, 1920, 2880])
  func `packets of every length go both ways`(_ frames: Int) throws {
    let encoder = try OpusEncoder(OpusEncoder.Settings(channels: 1))
    let decoder = try OpusDecoder(channels: 1)
    let packet = try Self.encode(encoder, tone(300, frames: frames)[...])
    #expect(packet.withUnsafeBytes { OpusDecoder.frames(in: $0) } == frames)
    #expect(try Self.decode(decoder, packet).count == frames)
  }

  @Test func `a length that Opus does not know is an error`() throws {
    let encoder = try OpusEncoder(OpusEncoder.Settings(channels: 2))
    for count in [0, 1, 959, 960, 1921, 6000] where count != 960 {
      #expect(throws: CodecError.self) {
        _ = try Self.encode(encoder, [Int16](repeating: 0, count: count)[...])
      }
    }
    #expect(throws: CodecError.self) { _ = try OpusEncoder(OpusEncoder.Settings(channels: 3)) }
    #expect(throws: CodecError.self) { _ = try OpusDecoder(channels: 0) }
  }

  @Test func `a lost packet is recovered from the next one where the path is known to lose`() throws {
    func gap(fec: Bool) throws -> Double {
      let encoder = try OpusEncoder(
        OpusEncoder.Settings(channels: 1, bitrateBPS: 32_000, isSpeech: true))
      if fec { try encoder.setLoss(percent: 20) }
      let decoder = try OpusDecoder(channels: 1)
      let plain = try OpusDecoder(channels: 1)
      var difference = 0.0
      var previous: [UInt8]?
      // A rising tone: what is concealed goes on as it was, what is recovered rises.
      var phase = 0.0
      var lost = false
      for number in 0..<100 {
        let samples = (0..<960).map { index -> Int16 in
          phase += 2 * Double.pi * (200 + Double(number * 960 + index) / 96) / 48_000
          return Int16(9000 * sin(phase))
        }
        let packet = try Self.encode(encoder, samples[...])
        let truth = try Self.decode(plain, packet)
        if lost, previous != nil {
          var output = [Int16](repeating: 0, count: 960)
          let count = try packet.withUnsafeBytes { packet in
            try output.withUnsafeMutableBufferPointer {
              try decoder.recover(from: packet, frames: 960, into: $0)
            }
          }
          #expect(count == 960)
          let missing = lastTruth
          for index in 0..<960 { difference += pow(Double(output[index]) - Double(missing[index]), 2) }
        }
        lost = number % 10 == 9
        if !lost { _ = try Self.decode(decoder, packet) }
        lastTruth = truth
        previous = packet
      }
      return difference
    }
    var lastTruth: [Int16] = []
    let with = try gap(fec: true)
    lastTruth = []
    let without = try gap(fec: false)
    #expect(with < without / 2, "\(with) \(without)")
  }

  @Test func `concealment goes on with the sound and then fades`() throws {
    let encoder = try OpusEncoder(OpusEncoder.Settings(channels: 1))
    let decoder = try OpusDecoder(channels: 1)
    let samples = tone(440, frames: 48_000)
    for start in stride(from: 0, to: samples.count, by: 960) {
      _ = try Self.decode(decoder, try Self.encode(encoder, samples[start..<start + 960]))
    }
    var levels: [Double] = []
    for _ in 0..<60 {
      var output = [Int16](repeating: 0, count: 480)
      let count = try output.withUnsafeMutableBufferPointer { try decoder.conceal(frames: 480, into: $0) }
      #expect(count == 480)
      levels.append(output.reduce(0.0) { $0 + Double($1) * Double($1) } / 480)
    }
    #expect(levels[0] > 1e7 && levels[59] < levels[0] / 100)
  }

  @Test func `with DTX silence costs next to nothing`() throws {
    let encoder = try OpusEncoder(OpusEncoder.Settings(channels: 1, usesDTX: true, isSpeech: true))
    var sizes: [Int] = []
    for _ in 0..<100 { sizes.append(try Self.encode(encoder, [Int16](repeating: 0, count: 960)[...]).count) }
    #expect(sizes.suffix(50).filter { $0 <= 2 }.count > 40)
  }

  @Test(arguments: [
    ("opus-tools-mono", 1, 960), ("opus-tools-stereo-10ms", 2, 480), ("opus-tools-speech-60ms", 1, 2880),
  ])
  func `streams of opus-tools decode to what another decoder makes of them`(
    _ name: String, _ channels: Int, _ frames: Int
  ) throws {
    let packets = try oggPackets("Codecs/\(name).opus")
    #expect(Array(packets[0].prefix(8)) == Array("OpusHead".utf8))
    // RFC 7845 section 5.1: so many samples come out before the sound.
    let preSkip = Int(packets[0][10]) | Int(packets[0][11]) << 8
    let decoder = try OpusDecoder(channels: channels)
    var output: [Int16] = []
    for packet in packets.dropFirst(2) {
      #expect(packet.withUnsafeBytes { OpusDecoder.frames(in: $0) } == frames)
      output += try Self.decode(decoder, packet)
    }
    let bytes = try Fixture.bytes("Codecs/\(name).s16le")
    let expected = stride(from: 0, to: bytes.count, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    let heard = output.dropFirst(preSkip * channels).prefix(expected.count)
    var (signal, noise) = (0.0, 0.0)
    for (left, right) in zip(heard, expected) {
      signal += Double(right) * Double(right)
      noise += pow(Double(left) - Double(right), 2)
    }
    #expect(heard.count == expected.count)
    #expect(10 * log10(signal / max(noise, 1)) > 45, "\(10 * log10(signal / max(noise, 1))) dB")
  }

  @Test func `hostile packets are errors or sound`() throws {
    for seed in 0..<300 as Range<UInt64> {
      var random = RandomSource(seed: seed)
      let decoder = try OpusDecoder(channels: 1 + Int(seed % 2))
      for _ in 0..<10 {
        let packet = random.bytes(Int(random.uint16() % 300))
        _ = packet.withUnsafeBytes { OpusDecoder.frames(in: $0) }
        _ = packet.withUnsafeBytes { OpusDecoder.channels(in: $0) }
        _ = try? Self.decode(decoder, packet)
        var output = [Int16](repeating: 0, count: 960 * decoder.channels)
        _ = try? packet.withUnsafeBytes { packet in
          try output.withUnsafeMutableBufferPointer {
            try decoder.recover(from: packet, frames: 960, into: $0)
          }
        }
      }
    }
  }
}
