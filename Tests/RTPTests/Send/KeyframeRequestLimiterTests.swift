import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct KeyframeRequestLimiterTests {
  private let start = Instant.origin + .seconds(10)
  private let roundTrip = Interval.milliseconds(50)

  @Test func `100 PLIs within a second make at most two keyframes`() {
    var limiter = KeyframeRequestLimiter()
    var keyframes = 0
    for step in 0..<100 {
      let now = start + .milliseconds(Int64(step * 10))
      let isAsked = limiter.handleRequest(roundTripTime: roundTrip, bitrate: 2_500_000, at: now)
      let isDue = limiter.handleTimeout(bitrate: 2_500_000, at: now)
      if isAsked || isDue {
        keyframes += 1
        limiter.handleKeyframe(bytes: 20_000, at: now)
      }
    }
    #expect(keyframes == 2)
  }

  @Test func `300 PLIs in a minute leave most of the bitrate to other frames`() {
    var limiter = KeyframeRequestLimiter()
    var bytes = 0
    for step in 0..<300 {
      let now = start + .milliseconds(Int64(step * 200))
      if limiter.handleRequest(roundTripTime: roundTrip, bitrate: 1_000_000, at: now) {
        bytes += 60_000
        limiter.handleKeyframe(bytes: 60_000, at: now)
      }
    }
    #expect(Double(bytes) * 8 < 0.45 * 60_000_000)
  }

  @Test func `a request that comes too early is answered later`() {
    var limiter = KeyframeRequestLimiter()
    limiter.handleKeyframe(bytes: 10_000, at: start)
    #expect(
      limiter.handleRequest(roundTripTime: roundTrip, bitrate: 1_000_000, at: start + .milliseconds(100))
        == false)
    let due = limiter.nextTimeout(bitrate: 1_000_000)
    #expect(due == start + .milliseconds(600))
    #expect(limiter.handleTimeout(bitrate: 1_000_000, at: start + .milliseconds(599)) == false)
    #expect(limiter.handleTimeout(bitrate: 1_000_000, at: start + .milliseconds(600)) == true)
    limiter.handleKeyframe(bytes: 10_000, at: start + .milliseconds(620))
    #expect(limiter.nextTimeout(bitrate: 1_000_000) == nil)
  }

  @Test func `a request from before the last keyframe can have arrived is dropped`() {
    var limiter = KeyframeRequestLimiter()
    limiter.handleKeyframe(bytes: 10_000, at: start)
    #expect(
      limiter.handleRequest(roundTripTime: roundTrip, bitrate: 1_000_000, at: start + .milliseconds(49))
        == false)
    #expect(limiter.nextTimeout(bitrate: 1_000_000) == nil)
  }

  @Test func `an encoder that does not answer is asked again`() {
    var limiter = KeyframeRequestLimiter()
    #expect(limiter.handleRequest(roundTripTime: roundTrip, bitrate: 1_000_000, at: start) == true)
    #expect(limiter.handleTimeout(bitrate: 1_000_000, at: start + .milliseconds(499)) == false)
    #expect(limiter.handleTimeout(bitrate: 1_000_000, at: start + .milliseconds(500)) == true)
  }

  @Test func `a repeated FIR number forces no second keyframe`() {
    var limiter = KeyframeRequestLimiter()
    func request(_ number: UInt8, _ milliseconds: Int64, from source: UInt32 = 1) -> Bool {
      let now = start + .milliseconds(milliseconds)
      let isDue = limiter.handleFullIntraRequest(
        from: source, number: number, roundTripTime: roundTrip, bitrate: 1_000_000, at: now)
      if isDue { limiter.handleKeyframe(bytes: 10_000, at: now) }
      return isDue
    }
    #expect(request(5, 0))
    #expect(!request(5, 2000))
    #expect(request(6, 4000))
    #expect(request(6, 8000, from: 2))
  }
}
