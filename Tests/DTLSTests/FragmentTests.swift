import DTLS
import Testing
import TestSupport
import WireFormat

struct FragmentTests {
  private func pair(
    mtu: Int, server: DTLSCertificate? = nil, client: DTLSCertificate? = nil
  ) throws -> DTLSPair {
    DTLSPair(
      clientCertificate: try client ?? TestCertificate.client.get(),
      serverCertificate: try server ?? TestCertificate.server.get(), mtu: mtu)
  }

  private func rsa4096() throws -> DTLSCertificate {
    try DTLSCertificate(
      certificate: try Fixture.bytes("DTLS/rsa4096.certificate.der"),
      privateKey: try Fixture.bytes("DTLS/rsa4096.key.der"))
  }

  @Test(arguments: [576, 1200])
  func `an RSA-4096 certificate goes out in datagrams within the MTU`(mtu: Int) throws {
    let pair = try pair(mtu: mtu, server: rsa4096(), client: rsa4096())
    pair.start()
    pair.runUntilFinished()
    #expect(pair.client.connection?.cipher == "ECDHE-RSA-AES128-GCM-SHA256")
    #expect(pair.server.connection != nil)
    let sizes = (pair.client.datagrams + pair.server.datagrams).map(\.count)
    #expect(sizes.allSatisfy { $0 <= mtu })
    #expect(sizes.filter { $0 > mtu * 3 / 4 }.count >= 3)
    // Each datagram is whole records.
    for datagram in pair.client.datagrams + pair.server.datagrams {
      #expect(try recordCount(datagram) >= 1)
    }
  }

  @Test func `a server's flight in reverse order, each datagram twice, is put together`() throws {
    let pair = try pair(mtu: 576, server: rsa4096())
    pair.start()
    exchange(from: pair.client, to: pair.server, pair) { $0 }
    exchange(from: pair.server, to: pair.client, pair) { flight in
      #expect(flight.count >= 4)
      return flight.reversed().flatMap { [$0, $0] }
    }
    exchange(from: pair.client, to: pair.server, pair) { $0 }
    exchange(from: pair.server, to: pair.client, pair) { $0 }
    #expect(pair.client.connection != nil)
    #expect(pair.server.connection != nil)
  }

  @Test func `a ClientHello in two fragments, swapped and one duplicated, is one ClientHello`() throws {
    let pair = try pair(mtu: 1200)
    pair.start()
    exchange(from: pair.client, to: pair.server, pair) { flight in
      let (first, second) = ClientHelloSurgery.split(flight[0], at: 90)
      return [second, first, second]
    }
    exchange(from: pair.server, to: pair.client, pair) { $0 }
    exchange(from: pair.client, to: pair.server, pair) { $0 }
    exchange(from: pair.server, to: pair.client, pair) { $0 }
    #expect(pair.client.connection != nil)
    #expect(pair.server.connection != nil)
  }

  @Test func `overlapping fragments of a ClientHello are put together`() throws {
    let pair = try pair(mtu: 1200)
    pair.start()
    exchange(from: pair.client, to: pair.server, pair) { flight in
      let (head, _) = ClientHelloSurgery.split(flight[0], at: 120)
      let (_, tail) = ClientHelloSurgery.split(flight[0], at: 60)
      return [tail, head]
    }
    exchange(from: pair.server, to: pair.client, pair) { $0 }
    exchange(from: pair.client, to: pair.server, pair) { $0 }
    exchange(from: pair.server, to: pair.client, pair) { $0 }
    #expect(pair.server.connection != nil)
  }

  @Test func `a ClientHello of 1 700 bytes in two fragments gets no answer before it is whole`() throws {
    let pair = try pair(mtu: 1200)
    pair.start()
    let hello = try #require(pair.client.transport.nextDatagram())
    let padded = ClientHelloSurgery.padded(hello, to: 1700)
    let (first, second) = ClientHelloSurgery.split(padded, at: 1100)
    pair.server.transport.handle(second, at: pair.now)
    #expect(pair.server.transport.nextTransmit() == nil)
    pair.server.transport.handle(first, at: pair.now)
    let answer = try #require(pair.server.transport.nextDatagram())
    #expect(answer[13] == 2)
    pair.server.transport.handle(second, at: pair.now)
    #expect(pair.server.transport.nextTransmit() == nil)
  }

  private func recordCount(_ datagram: [UInt8]) throws -> Int {
    var reader = DTLSRecordReader(datagram.rawSpan)
    var count = 0
    while try reader.next() != nil { count += 1 }
    return count
  }

  /// Carries one flight over by hand, changed by `change`.
  private func exchange(
    from: DTLSPair.End, to: DTLSPair.End, _ pair: DTLSPair, _ change: ([[UInt8]]) -> [[UInt8]]
  ) {
    var flight: [[UInt8]] = []
    while let buffer = from.transport.nextTransmit() { flight.append(buffer.array) }
    if flight.isEmpty { return }
    for datagram in change(flight) { to.transport.handle(datagram, at: pair.now) }
    while let event = to.transport.nextEvent() { to.events.append(event) }
  }
}
