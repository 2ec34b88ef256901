import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct AudioTimelineTests {
  private let start = Instant.origin + .seconds(10)

  @Test func `timestamps count samples`() {
    var timeline = AudioTimeline(clockRate: 48_000, first: 4_294_967_000)
    var timestamps: [UInt32] = []
    for step in 0..<4 {
      timestamps.append(timeline.advance(by: 960, at: start + .milliseconds(Int64(step * 20))).timestamp)
    }
    #expect(timestamps == (0..<4).map { UInt32(4_294_967_000) &+ UInt32($0 * 960) })
  }

  @Test func `a push pause of 2 s moves the timestamp by 2 s`() {
    var timeline = AudioTimeline(clockRate: 48_000, first: 0)
    #expect(timeline.advance(by: 960, at: start) == (0, true))
    #expect(timeline.advance(by: 960, at: start + .milliseconds(20)) == (960, false))
    let after = timeline.advance(by: 960, at: start + .milliseconds(2040))
    #expect(after.isAfterPause)
    #expect(after.timestamp == 2 * 960 + 96_000)
    #expect(timeline.advance(by: 960, at: start + .milliseconds(2060)).timestamp == after.timestamp + 960)
  }

  @Test func `jitter of the capture leaves no mark`() {
    var timeline = AudioTimeline(clockRate: 48_000, first: 0)
    var random = RandomSource(seed: 3)
    for step in 0..<500 {
      let now = start + .milliseconds(Int64(step * 20)) + .milliseconds(random.unit() * 60)
      let (timestamp, isAfterPause) = timeline.advance(by: 960, at: now)
      #expect(timestamp == UInt32(step * 960))
      #expect(isAfterPause == (step == 0))
    }
  }

  @Test func `an hour of talk with pauses ends where the clock does`() {
    var timeline = AudioTimeline(clockRate: 48_000, first: 0)
    var now = start
    var last: UInt32 = 0
    for _ in 0..<300 {
      for _ in 0..<500 {
        last = timeline.advance(by: 960, at: now).timestamp
        now += .milliseconds(20)
      }
      now += .milliseconds(2000)
    }
    let elapsed = (now - start - .milliseconds(2020)).inSeconds * 48_000
    #expect(abs(Double(last) - elapsed) < 48_000 * 0.15)
  }
}
