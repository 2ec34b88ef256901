import Testing
import WireFormat

struct RandomSourceTests {
  // SplitMix64 from its author's published sequence for seed 1234567.
  @Test func `a seed gives the published sequence`() {
    var random = RandomSource(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func `equal seeds repeat, others differ`() {
    var (first, second, third) = (RandomSource(seed: 1), RandomSource(seed: 1), RandomSource(seed: 2))
    let numbers = (0..<100).map { _ in first.next() }
    #expect((0..<100).map { _ in second.next() } == numbers)
    #expect((0..<100).map { _ in third.next() } != numbers)
  }

  @Test func `the system's numbers do not repeat`() {
    var (first, second) = (RandomSource.system, RandomSource.system)
    #expect((0..<4).map { _ in first.next() } != (0..<4).map { _ in second.next() })
    var (own, other) = (first.split(), second.split())
    #expect((0..<4).map { _ in own.next() } != (0..<4).map { _ in other.next() })
  }

  @Test func `a split-off source does not depend on later use`() {
    var first = RandomSource(seed: 9)
    var child = first.split()
    var second = RandomSource(seed: 9)
    var sibling = second.split()
    _ = (0..<10).map { _ in second.next() }
    #expect((0..<10).map { _ in child.next() } == (0..<10).map { _ in sibling.next() })
    #expect((0..<10).map { _ in child.next() } != (0..<10).map { _ in first.next() })
  }

  @Test(arguments: [-1, 0, 1, 7, 8, 9, 1000])
  func `bytes are as many as asked for`(count: Int) {
    var random = RandomSource(seed: 4)
    #expect(random.bytes(count).count == max(0, count))
    #expect(random.iceString(count).utf8.count == max(0, count))
  }

  @Test func `every byte and every ice-char comes up, evenly enough`() {
    var random = RandomSource(seed: 6)
    var counts = [Int](repeating: 0, count: 256)
    for byte in random.bytes(256 * 400) { counts[Int(byte)] += 1 }
    #expect(counts.allSatisfy { (250...550).contains($0) })
    let text = random.iceString(64 * 400)
    #expect(Set(text).count == 64)
    #expect(
      text.utf8.allSatisfy {
        $0 == 0x2B || (0x2F...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
      })
  }

  @Test func `fractions lie from 0 up to 1`() {
    var random = RandomSource(seed: 8)
    let fractions = (0..<10_000).map { _ in random.unit() }
    #expect(fractions.allSatisfy { (0..<1).contains($0) })
    let mean = fractions.reduce(0, +) / 10_000
    #expect((0.48...0.52).contains(mean))
  }
}
