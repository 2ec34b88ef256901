import DTLS
import Testing
import TestSupport
import WireFormat

struct RetransmissionTimerTests {
  private let start = Instant(nanoseconds: 7_000_000_000)

  /// Milliseconds after the start at which a client whose peer is silent sends its ClientHello.
  private func sendTimes(
    roundTripTime: Interval?, delay: Interval = .zero
  ) throws -> (times: [Double], last: DTLSEvent?) {
    let pool = PacketPool()
    let client = DTLSTransport(role: .client, certificate: try TestCertificate.client.get(), pool: pool)
    client.start(at: start, roundTripTime: roundTripTime)
    var now = start
    var times: [Double] = []
    while true {
      while let buffer = client.nextTransmit() {
        times.append((now - start).inMilliseconds)
        pool.give(consume buffer)
      }
      guard let timeout = client.nextTimeout() else { break }
      now = timeout + delay
      client.handleTimeout(at: now)
    }
    return (times, client.nextEvent())
  }

  @Test func `an unanswered ClientHello goes out after twice the round trip, then after doubling times`()
    throws
  {
    let (times, event) = try sendTimes(roundTripTime: .milliseconds(30))
    #expect(
      times == [0, 60, 180, 420, 900, 1860, 3780, 6780, 9780, 12_780, 15_780, 18_780, 21_780])
    guard case .failed(.timedOut) = event else {
      Issue.record("\(String(describing: event))")
      return
    }
  }

  @Test func `the first timeout is never under 20 ms nor over 1 s, and 50 ms on an unknown path`() throws {
    #expect(try sendTimes(roundTripTime: .microseconds(200)).times[1] == 20)
    #expect(try sendTimes(roundTripTime: .zero).times[1] == 20)
    #expect(try sendTimes(roundTripTime: .seconds(5)).times[1] == 1000)
    #expect(try sendTimes(roundTripTime: nil).times[1] == 50)
  }

  @Test func `a late call of the timer sends once, not once for each time that passed`() throws {
    let (times, _) = try sendTimes(roundTripTime: nil, delay: .seconds(10))
    #expect(times.count == 13)
    #expect(Array(times.prefix(3)) == [0, 10_050, 20_150])
  }

  @Test func `an early call of the timer sends nothing`() throws {
    let pool = PacketPool()
    let client = DTLSTransport(role: .client, certificate: try TestCertificate.client.get(), pool: pool)
    client.handleTimeout(at: start)
    client.start(at: start)
    _ = client.nextTransmit()
    for _ in 0..<50 { client.handleTimeout(at: start + .milliseconds(49)) }
    #expect(client.nextTransmit() == nil)
    #expect(client.nextTimeout() == start + .milliseconds(50))
    #expect(client.statistics.retransmissions == 0)
  }

  @Test func `datagrams that mean nothing do not move the timer`() throws {
    let pool = PacketPool()
    let client = DTLSTransport(role: .client, certificate: try TestCertificate.client.get(), pool: pool)
    client.start(at: start)
    let timeout = client.nextTimeout()
    let garbage: [UInt8] = [22, 0xFE, 0xFD, 0, 1, 0, 0, 0, 0, 0, 1, 0, 2, 7, 7]
    client.handle(garbage, at: start + .milliseconds(40))
    client.handle([23, 1], at: start + .milliseconds(45))
    #expect(client.nextTimeout() == timeout)
  }
}
