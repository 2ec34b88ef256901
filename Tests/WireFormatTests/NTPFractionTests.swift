import Testing
import WireFormat

struct NTPFractionTests {
  @Test(arguments: [0, 1, 250_000_000, 500_000_000, 999_999_999, 1_796_017_881_838_000_000] as [Int64])
  func `fractions of a second survive the way there and back`(nanoseconds: Int64) {
    let time = NTPTime(unixNanoseconds: nanoseconds)
    #expect(abs(time.unixNanoseconds - nanoseconds) <= 1)
  }

  @Test func `half a second is the top bit of the fraction`() {
    let time = NTPTime(unixNanoseconds: 500_000_000)
    #expect(time.rawValue & 0xFFFF_FFFF == 0x8000_0000)
    #expect(time.compact & 0xFFFF == 0x8000)
    #expect(NTPTime.interval(compact: 0x8000) == .milliseconds(500))
    #expect(NTPTime.interval(compact: 0x1_0000) == .seconds(1))
  }
}
