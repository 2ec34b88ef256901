import RTP
import TestSupport
import Testing
import WireFormat

/// The estimator where the peer sends no transport-wide feedback.
@Suite struct ReportFallbackTests {
  private let start = Instant.origin + .seconds(10)

  private func estimator(start rate: Int = 500_000, maximum: Int = 5_000_000) -> SendSideBandwidthEstimator {
    SendSideBandwidthEstimator(bounds: BitrateBounds(minimum: 50_000, start: rate, maximum: maximum))
  }

  @Test func `clean reports raise the rate by 8 % a second`() {
    let estimator = estimator()
    for second in 0...10 {
      estimator.handle(sentBytes: 1000, at: start + .seconds(Int64(second)))
      estimator.handle(fractionLost: 0, at: start + .seconds(Int64(second)))
    }
    #expect(estimator.targetBitrate > 1_000_000 && estimator.targetBitrate < 1_200_000)
  }

  @Test func `little loss holds the rate and much lowers it`() {
    let estimator = estimator()
    for second in 0..<5 { estimator.handle(fractionLost: 0.05, at: start + .seconds(Int64(second))) }
    #expect(estimator.targetBitrate == 500_000)
    estimator.handle(fractionLost: 0.4, at: start + .seconds(6))
    #expect(estimator.targetBitrate == 400_000)
    // One loss is not punished twice within a round trip.
    estimator.handle(fractionLost: 0.4, at: start + .seconds(6) + .milliseconds(100))
    #expect(estimator.targetBitrate == 400_000)
  }

  @Test func `REMB is the ceiling, and at the start the floor`() {
    let estimator = estimator()
    estimator.handle(receiverEstimate: 1_500_000, at: start)
    #expect(estimator.targetBitrate == 1_500_000)
    estimator.handle(receiverEstimate: 700_000, at: start + .seconds(3))
    #expect(estimator.targetBitrate == 700_000)
    for second in 4..<10 { estimator.handle(fractionLost: 0, at: start + .seconds(Int64(second))) }
    #expect(estimator.targetBitrate == 700_000)
    estimator.handle(receiverEstimate: 9_000_000, at: start + .seconds(11))
    for second in 11..<60 { estimator.handle(fractionLost: 0, at: start + .seconds(Int64(second))) }
    #expect(estimator.targetBitrate == 5_000_000)
  }

  @Test func `without any report the rate falls after a while`() {
    let estimator = estimator()
    estimator.handle(fractionLost: 0, at: start)
    estimator.handle(sentBytes: 1000, at: start)
    estimator.handleTimeout(at: start + .seconds(11))
    #expect(estimator.targetBitrate >= 500_000)
    var now = start
    while let next = estimator.nextTimeout(), next < start + .seconds(30) {
      now = next
      estimator.handleTimeout(at: now)
    }
    #expect(estimator.targetBitrate == 50_000)
  }

  @Test func `no probes are asked for where nothing wants the bandwidth`() {
    let estimator = estimator()
    estimator.handle(sentBytes: 1000, at: start)
    #expect(estimator.nextProbe() == nil)
    estimator.setDemand(2_500_000, at: start)
    estimator.handle(sentBytes: 1000, at: start)
    #expect(estimator.nextProbe()?.bitrate == 1_500_000)
    #expect(estimator.nextProbe()?.bitrate == 3_000_000)
    #expect(estimator.nextProbe() == nil)
  }
}
