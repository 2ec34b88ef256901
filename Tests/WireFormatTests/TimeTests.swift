import Testing
import WireFormat

struct IntervalTests {
  @Test func `units multiply`() {
    #expect(Interval.nanoseconds(5).nanoseconds == 5)
    #expect(Interval.microseconds(5).nanoseconds == 5000)
    #expect(Interval.milliseconds(5).nanoseconds == 5_000_000)
    #expect(Interval.seconds(5).nanoseconds == 5_000_000_000)
    #expect(Interval.seconds(1.5) == .milliseconds(1500))
    #expect(Interval.milliseconds(0.25) == .microseconds(250))
    #expect(Interval.milliseconds(1500).inSeconds == 1.5)
    #expect(Interval.microseconds(1500).inMilliseconds == 1.5)
    #expect(Interval.nanoseconds(1999).wholeMicroseconds == 1)
    #expect(Interval.microseconds(-1999).wholeMilliseconds == -1)
  }

  @Test func `arithmetic saturates instead of trapping`() {
    let most = Interval(nanoseconds: .max)
    let least = Interval(nanoseconds: .min)
    let one = Interval.nanoseconds(1)
    #expect(most + one == most && least - one == least)
    #expect(most - least == most && least - most == least)
    #expect(most + least == Interval(nanoseconds: -1))
    #expect(Interval.seconds(Int64.max) == most && Interval.seconds(Int64.min) == least)
    #expect(most * 2 == most && most * -2 == least && least * -1 == most && least * 2 == least)
    #expect(least / -1 == most && most / 0 == .zero && least / 2 == Interval(nanoseconds: .min / 2))
    #expect(Interval.seconds(Double.infinity) == most && Interval.seconds(-Double.infinity) == least)
    #expect(Interval.seconds(Double.nan) == .zero && Interval.seconds(1e300) == most)
    #expect(most * 1e10 == most && most * -1e10 == least && most * Double.nan == .zero)
    var sum = most
    sum += one
    #expect(sum == most)
    sum = least
    sum -= one
    #expect(sum == least)
  }

  @Test func `quotients of spans are numbers`() {
    #expect(Interval.seconds(3) / Interval.seconds(2) == 1.5)
    #expect((Interval.seconds(3) / Interval.zero).isInfinite)
    #expect((Interval.zero / Interval.zero).isNaN)
    #expect(Interval.seconds(3) * 0.5 == .milliseconds(1500))
    #expect(Interval.seconds(1) < .seconds(2))
  }
}

struct InstantTests {
  @Test func `moments and spans add up, held to the ends of time`() {
    let start = Instant(nanoseconds: 1000)
    #expect(start + .nanoseconds(5) == Instant(nanoseconds: 1005))
    #expect(start - .nanoseconds(5) == Instant(nanoseconds: 995))
    #expect(start - Instant.origin == .nanoseconds(1000))
    #expect(Instant.distantFuture + .seconds(1) == .distantFuture)
    #expect(Instant(nanoseconds: .min) - .seconds(1) == Instant(nanoseconds: .min))
    #expect(Instant.distantFuture - Instant(nanoseconds: .min) == Interval(nanoseconds: .max))
    #expect(Instant.origin < start && start < .distantFuture)
    #expect(Instant(nanoseconds: 1999).microseconds == 1)
    var moment = start
    moment += .nanoseconds(1)
    #expect(moment == Instant(nanoseconds: 1001))
  }

  @Test func `the earlier of two timers, either unset`() {
    let (early, late) = (Instant(nanoseconds: 1), Instant(nanoseconds: 2))
    #expect(Instant?.earliest(early, late) == early)
    #expect(Instant?.earliest(late, early) == early)
    #expect(Instant?.earliest(nil, late) == late)
    #expect(Instant?.earliest(early, nil) == early)
    #expect(Instant?.earliest(nil, nil) == nil)
  }

  @Test func `the system's clock does not run backwards`() {
    var last = MonotonicClock.now()
    for _ in 0..<1000 {
      let now = MonotonicClock.now()
      #expect(now >= last)
      last = now
    }
  }
}

struct NTPTimeTests {
  @Test func `the Unix epoch is 2 208 988 800 seconds after NTP's`() {
    #expect(NTPTime(unixNanoseconds: 0).rawValue == 2_208_988_800 << 32)
    #expect(NTPTime(rawValue: 2_208_988_800 << 32).unixNanoseconds == 0)
    #expect(NTPTime(rawValue: 0).unixNanoseconds == -2_208_988_800_000_000_000)
  }

  @Test func `fractions are binary`() {
    let half = NTPTime(unixNanoseconds: 1_500_000_000)
    #expect(half.rawValue & 0xFFFF_FFFF == 0x8000_0000)
    #expect(half.compact == UInt32((2_208_988_801 & 0xFFFF) << 16 | 0x8000))
    #expect(NTPTime.interval(compact: 0x0001_8000) == .milliseconds(1500))
    #expect(NTPTime.interval(compact: 0) == .zero)
    #expect(NTPTime.interval(compact: .max) > .seconds(65535))
  }

  @Test func `conversion there and back loses at most a nanosecond`() {
    var random = RandomSource(seed: 2)
    for _ in 0..<10_000 {
      // Up to 2036, where 32 bits of seconds end.
      let time = Int64.random(in: 0..<2_085_978_496_000_000_000, using: &random)
      let back = NTPTime(unixNanoseconds: time).unixNanoseconds
      #expect((time - 1...time).contains(back))
    }
  }

  @Test(arguments: [Int64.min, -1, Int64.max])
  func `moments that NTP cannot tell do not trap`(time: Int64) {
    let ntp = NTPTime(unixNanoseconds: time)
    #expect(time > 0 || ntp == NTPTime(unixNanoseconds: 0))
    _ = (ntp.unixNanoseconds, ntp.compact)
    _ = NTPTime(rawValue: .max).unixNanoseconds
  }

  @Test func `later is greater`() {
    #expect(NTPTime(unixNanoseconds: 5) < NTPTime(unixNanoseconds: 1_000_000))
  }
}
