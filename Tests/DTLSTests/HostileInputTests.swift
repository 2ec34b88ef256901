import DTLS
import Testing
import TestSupport
import WireFormat

struct HostileInputTests {
  private let start = Instant(nanoseconds: 1_000_000_000)
  private let pool = PacketPool()

  private func transport(_ role: DTLSRole) throws -> DTLSTransport {
    DTLSTransport(
      role: role, certificate: try TestCertificate.server.get(),
      remoteFingerprints: [try TestCertificate.client.get().fingerprint], pool: pool)
  }

  @Test func `random datagrams crash nothing and get no answer`() throws {
    var random = RandomSource(seed: 20)
    let server = try transport(.server)
    server.start(at: start)
    for _ in 0..<20_000 {
      var bytes = random.bytes(Int(random.next() % 120))
      if !bytes.isEmpty { bytes[0] = UInt8(20 + random.next() % 44) }
      server.handle(bytes, at: start)
    }
    #expect(server.nextTransmit() == nil)
    #expect(server.statistics.ignored > 10_000)
  }

  @Test func `changed flights end in a connection or an error, never in more than a flight`() throws {
    var random = RandomSource(seed: 21)
    for _ in 0..<300 {
      let pair = DTLSPair(
        clientCertificate: try TestCertificate.client.get(),
        serverCertificate: try TestCertificate.server.get())
      pair.start()
      for _ in 0..<6 {
        for (from, to) in [(pair.client, pair.server), (pair.server, pair.client)] {
          while var datagram = from.transport.nextDatagram() {
            if random.unit() < 0.3 {
              for _ in 0...(random.next() % 4) {
                datagram[Int(random.next() % UInt64(datagram.count))] = UInt8(
                  truncatingIfNeeded: random.next())
              }
            }
            to.transport.handle(datagram, at: pair.now)
          }
        }
      }
      #expect(pair.client.transport.statistics.datagramsSent <= 8)
      #expect(pair.server.transport.statistics.datagramsSent <= 8)
    }
  }

  @Test func `a ClientHello repeated for ever is answered once a timeout`() throws {
    let client = try transport(.client)
    client.start(at: start)
    let hello = try #require(client.nextDatagram())
    let server = try transport(.server)
    server.start(at: start)
    for index in 0..<500 {
      var copy = hello
      copy[9] = UInt8(index >> 8)
      copy[10] = UInt8(index & 255)
      server.handle(copy, at: start)
    }
    #expect(server.statistics.datagramsSent == 1)
  }

  @Test func `a flood before the handshake's end is an error`() throws {
    let server = try transport(.server)
    server.start(at: start)
    // Fragments of a ClientHello that never becomes whole.
    var sent = 0
    while sent <= DTLSTransport.handshakeByteLimit {
      var writer = ByteWriter()
      writer.write(hex("16 feff 0000 0000"))
      writer.write(UInt32(sent))
      writer.write(UInt16(1012))
      writer.write(hex("01 004000 0000 001000 0003e8"))
      writer.writeZeros(1000)
      server.handle(writer.bytes, at: start)
      sent += writer.count
    }
    guard case .failed(.handshakeTooLarge) = server.nextEvent() else {
      Issue.record("no error")
      return
    }
    #expect(server.nextTimeout() == nil)
  }

  @Test func `encrypted records before the keys are bounded`() throws {
    let server = try transport(.server)
    server.start(at: start)
    for number in 0..<200 {
      var writer = ByteWriter()
      writer.write(hex("17 fefd 0001 0000"))
      writer.write(UInt32(number))
      writer.write(UInt16(40))
      writer.writeZeros(40)
      server.handle(writer.bytes, at: start)
    }
    #expect(server.statistics.ignored == 200 - UInt64(DTLSTransport.handshakeProtectedRecordLimit))
    #expect(server.nextEvent() == nil)
  }

  @Test func `a fatal alert becomes an error with its name`() throws {
    let client = try transport(.client)
    client.start(at: start)
    client.handle(hex("15 fefd 0000 000000000000 0002 0228"), at: start)
    guard case .failed(.alertReceived(let alert)) = client.nextEvent() else {
      Issue.record("no alert")
      return
    }
    #expect(alert == .handshakeFailure)
    #expect(alert.description == "handshake_failure")
    #expect(DTLSAlert(rawValue: 200).description == "alert 200")
    #expect(client.nextTimeout() == nil)
  }

  @Test func `two clients end in an error, not in silence`() throws {
    let one = try transport(.client)
    let other = try transport(.client)
    one.start(at: start)
    other.start(at: start)
    other.handle(try #require(one.nextDatagram()), at: start)
    guard case .failed = other.nextEvent() else {
      Issue.record("no error")
      return
    }
  }

  @Test func `DTLS 1_0 is refused`() throws {
    let client = try transport(.client)
    client.start(at: start)
    var hello = try #require(client.nextDatagram())
    // The version inside the ClientHello, behind the record's and the message's header.
    hello[25] = 0xFE
    hello[26] = 0xFF
    let server = try transport(.server)
    server.start(at: start)
    server.handle(hello, at: start)
    guard case .failed = server.nextEvent() else {
      Issue.record("no error")
      return
    }
    // The alert protocol_version.
    let answer = try #require(server.nextDatagram())
    #expect(answer[0] == 21)
    #expect(answer.suffix(2) == [2, 70])
  }
}
