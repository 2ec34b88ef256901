import Media
import Testing

@Suite struct CaptureClockTests {
  @Test func `90 kHz follows microseconds exactly`() {
    var clock = CaptureClock()
    #expect(clock.ticks(captureTimeUs: 1_000_000) == 90_000)
    #expect(clock.ticks(captureTimeUs: 1_033_333) == 92_999)
    #expect(clock.ticks(captureTimeUs: 1_066_667) == 96_000)
  }

  @Test func `a time that repeats or reverses goes on by a millisecond`() {
    var clock = CaptureClock()
    #expect(clock.ticks(captureTimeUs: 2_000_000) == 180_000)
    #expect(clock.ticks(captureTimeUs: 2_000_000) == 180_090)
    #expect(clock.ticks(captureTimeUs: 1_990_000) == 180_180)
    // Once past the nudged ones, the true time counts again.
    #expect(clock.ticks(captureTimeUs: 2_033_000) == 182_970)
  }

  @Test func `a clock that started anew keeps its distances`() {
    var clock = CaptureClock()
    #expect(clock.ticks(captureTimeUs: 500_000_000) == 45_000_000)
    #expect(clock.ticks(captureTimeUs: 0) == 45_000_090)
    #expect(clock.ticks(captureTimeUs: 33_000) == 45_000_090 + 2970)
    #expect(clock.ticks(captureTimeUs: 66_000) == 45_000_090 + 5940)
  }

  @Test(arguments: [
    [Int64.max, 0, 5, .max, .min, -1, 0], [.min, .min, .max, .max], [.max, .max - 1, .max / 2, 7],
  ])
  func `extreme times neither trap nor turn the line back`(_ times: [Int64]) {
    var clock = CaptureClock()
    var last = Int64.min
    for time in times + times + times {
      let ticks = clock.ticks(captureTimeUs: time)
      #expect(ticks > last)
      last = ticks
    }
  }
}
