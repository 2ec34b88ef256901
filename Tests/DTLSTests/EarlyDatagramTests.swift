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
