import DTLS
import Testing
import TestSupport
import WireFormat

struct EarlyDatagramTests {
  private let start = Instant(nanoseconds: 1_000_000_000)
  private let pool = PacketPool()

  private func transport(_ role: DTLSRole) throws -> DTLSTransport {
    DTLSTransport(
      role: role, certificate: try TestCertificate.server.get(),
      remoteFingerprints: [try TestCertificate.client.get().fingerprint], pool: pool)
  }

  private func clientHello() throws -> [UInt8] {
    let client = try transport(.client)
    client.start(at: start)
    return try #require(client.nextDatagram())
  }

  @Test func `a ClientHello one tick before the path is ready is answered at once when it is`() throws {
    let server = try transport(.server)
    server.handle(try clientHello(), at: start)
    #expect(server.nextTransmit() == nil)
    #expect(server.nextTimeout() == nil)
    server.start(at: start + .nanoseconds(1), roundTripTime: .milliseconds(20))
    let answer = try #require(server.nextDatagram())
    // A handshake record with a ServerHello.
    #expect(answer[0] == 22)
    #expect(answer[13] == 2)
    #expect(server.nextTimeout() == start + .nanoseconds(1) + .milliseconds(40))
  }

  @Test func `nothing is sent before start`() throws {
    let client = try transport(.client)
    #expect(client.nextTransmit() == nil)
    #expect(client.nextTimeout() == nil)
    client.start(at: start)
    #expect(client.nextTransmit() != nil)
  }

  @Test
  func `a flight prepared before the path is there leaves at the start, and its time counts from there`()
    throws
  {
    let client = try transport(.client)
    client.prepare()
    client.prepare()
    #expect(client.nextTransmit() == nil && client.nextTimeout() == nil)
    client.handleTimeout(at: start + .seconds(100))
    let later = start + .seconds(200)
    client.start(at: later, roundTripTime: .milliseconds(30))
    #expect(try #require(client.nextDatagram())[13] == 1)
    #expect(client.nextTransmit() == nil)
    #expect(client.nextTimeout() == later + .milliseconds(60))
    client.handleTimeout(at: later + .milliseconds(60))
    #expect(client.nextTransmit() != nil && client.nextTimeout() == later + .milliseconds(180))
  }

  @Test(arguments: [(true, true), (true, false), (false, true)])
  func `prepared ends connect as others do, also with what came before the start`(
    _ isClientPrepared: Bool, _ isServerPrepared: Bool
  ) throws {
    let pair = DTLSPair(
      clientCertificate: try TestCertificate.client.get(), serverCertificate: try TestCertificate.server.get()
    )
    if isClientPrepared { pair.client.transport.prepare() }
    if isServerPrepared { pair.server.transport.prepare() }
    pair.client.transport.start(at: pair.now)
    let hello = try #require(pair.client.transport.nextDatagram())
    pair.server.transport.handle(hello, at: pair.now)
    pair.server.transport.start(at: pair.now)
    pair.runUntilFinished()
    #expect(pair.client.connection != nil && pair.server.connection != nil)
    #expect(pair.client.connection?.srtp?.client.array == pair.server.connection?.srtp?.client.array)
    #expect(pair.client.transport.statistics.retransmissions == 0)
  }

  @Test func `fingerprints that come after the preparation are the ones that count`() throws {
    let pair = DTLSPair(
      clientCertificate: try TestCertificate.client.get(),
      serverCertificate: try TestCertificate.server.get(),
      serverFingerprints: [])
    pair.client.transport.prepare()
    pair.client.transport.setRemoteFingerprints(
      [try TestCertificate.stranger.get().fingerprint], at: pair.now)
    pair.start()
    pair.runUntilFinished()
    guard case .fingerprintMismatch = pair.client.error else {
      Issue.record("\(pair.client.events)")
      return
    }
  }

  @Test func `closing what was only prepared sends nothing`() throws {
    let client = try transport(.client)
    client.prepare()
    client.close(at: start)
    #expect(client.nextTransmit() == nil && client.nextEvent() == nil)
    client.start(at: start)
    #expect(client.nextTransmit() == nil)
  }

  @Test func `early datagrams are bounded after the preparation too`() throws {
    let server = try transport(.server)
    let hello = try clientHello()
    server.prepare()
    for _ in 0..<1000 { server.handle(hello, at: start) }
    #expect(server.statistics.earlyDropped == 1000 - UInt64(DTLSTransport.earlyDatagramLimit))
    server.start(at: start)
    #expect(server.nextTransmit() != nil && server.nextTransmit() == nil)
  }

  @Test func `the role may change until start`() throws {
    let transport = try transport(.server)
    transport.role = .client
    transport.start(at: start)
    #expect(transport.nextDatagram()?[13] == 1)
  }

  @Test func `early datagrams are bounded in number and size, and only DTLS is kept`() throws {
    let server = try transport(.server)
    let hello = try clientHello()
    let large = hello + [UInt8](repeating: 0, count: DTLSTransport.earlyDatagramSize)
    server.handle(large, at: start)
    server.handle([0, 1, 2], at: start)
    server.handle([], at: start)
    #expect(server.statistics.earlyDropped == 3)
    for _ in 0..<1000 { server.handle(hello, at: start) }
    #expect(server.statistics.earlyDropped == 3 + 1000 - UInt64(DTLSTransport.earlyDatagramLimit))
    server.start(at: start)
    #expect(server.nextTransmit() != nil)
    // Sixteen times the same ClientHello is one handshake and one answer.
    #expect(server.nextTransmit() == nil)
  }

  @Test func `the first byte tells DTLS from its neighbours`() {
    var dtls: [Int] = []
    for byte in 0...255 where DTLSTransport.isDTLS(firstByte: UInt8(byte)) { dtls.append(byte) }
    #expect(dtls == Array(20...63))
  }
}
