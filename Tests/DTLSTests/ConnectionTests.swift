import DTLS
import Testing
import TestSupport
import WireFormat

struct ConnectionTests {
  private func connected() throws -> DTLSPair {
    let pair = DTLSPair(
      clientCertificate: try TestCertificate.client.get(), serverCertificate: try TestCertificate.server.get()
    )
    pair.start()
    pair.runUntilFinished()
    return pair
  }

  @Test func `a steady flow takes no new buffers`() throws {
    let pair = try connected()
    let message = [UInt8](repeating: 7, count: 1150)
    func exchange() throws {
      try pair.client.transport.send(message, at: pair.now)
      try pair.server.transport.send(message, at: pair.now)
      pair.settle()
    }
    try exchange()
    let allocations = pair.pool.allocations
    for _ in 0..<200 { try exchange() }
    #expect(pair.pool.allocations == allocations)
    #expect(pair.server.messages.count == 201)
  }

  @Test func `datagrams leave headroom for TURN framing`() throws {
    let pair = try connected()
    try pair.client.transport.send([1], at: pair.now)
    let buffer = try #require(pair.client.transport.nextTransmit())
    #expect(buffer.headroom >= 36)
  }

  @Test func `the largest message passes, a larger one is refused before it is sent`() throws {
    let pair = try connected()
    let limit = pair.client.transport.sendLimit
    #expect(limit >= 1500)
    try pair.client.transport.send([UInt8](repeating: 1, count: limit), at: pair.now)
    pair.settle()
    #expect(pair.server.messages.first?.count == limit)
    #expect(throws: DTLSError.messageTooLarge(limit: limit)) {
      try pair.client.transport.send([UInt8](repeating: 1, count: limit + 1), at: pair.now)
    }
    try pair.client.transport.send([], at: pair.now)
    #expect(pair.client.transport.nextTransmit() == nil)
  }

  @Test func `close_notify ends both sides, and is answered`() throws {
    let pair = try connected()
    pair.client.transport.close(at: pair.now)
    let sent = pair.server.datagrams.count
    pair.settle()
    #expect(pair.server.isClosed)
    #expect(pair.server.datagrams.count == sent + 1)
    #expect(pair.client.events.count == 1)
    #expect(throws: DTLSError.notConnected) { try pair.server.transport.send([1], at: pair.now) }
    #expect(throws: DTLSError.notConnected) { try pair.client.transport.send([1], at: pair.now) }
    #expect(pair.client.transport.nextTimeout() == nil)
    pair.client.transport.close(at: pair.now)
  }

  @Test func `messages before close_notify arrive`() throws {
    let pair = try connected()
    try pair.client.transport.send([1, 2], at: pair.now)
    pair.client.transport.close(at: pair.now)
    pair.settle()
    #expect(pair.server.messages == [[1, 2]])
    #expect(pair.server.isClosed)
  }

  @Test func `replayed and changed datagrams give nothing and end nothing`() throws {
    let pair = try connected()
    var random = RandomSource(seed: 4)
    for round in 0..<100 {
      try pair.client.transport.send([UInt8(round)], at: pair.now)
      let datagram = try #require(pair.client.transport.nextDatagram())
      var changed = datagram
      changed[Int(random.next() % UInt64(changed.count))] ^= 0x55
      pair.server.transport.handle(changed, at: pair.now)
      pair.server.transport.handle(datagram, at: pair.now)
      pair.server.transport.handle(datagram, at: pair.now)
    }
    pair.settle()
    #expect(pair.server.messages == (0..<100).map { [UInt8($0)] })
    #expect(pair.server.events.count == 1)
  }

  @Test func `a queue that nobody drains is bounded`() throws {
    let pair = try connected()
    for _ in 0..<1000 {
      try pair.client.transport.send([1], at: pair.now)
      let datagram = try #require(pair.client.transport.nextDatagram())
      pair.server.transport.handle(datagram, at: pair.now)
    }
    #expect(pair.server.transport.statistics.queueDropped == 1000 - UInt64(DTLSTransport.receivedLimit))
    for _ in 0..<1000 { try pair.client.transport.send([1], at: pair.now) }
    #expect(pair.client.transport.statistics.queueDropped == 1000 - 64)
  }

  @Test func `a server that lost its last flight sends it again when asked`() throws {
    let pair = DTLSPair(
      clientCertificate: try TestCertificate.client.get(), serverCertificate: try TestCertificate.server.get()
    )
    pair.start()
    pair.run { $0.server.isFinished }
    // The server is connected; its Finished is on the way and gets lost, twice.
    pair.toClient.conditions.isDown = true
    while pair.toClient.receive(at: .distantFuture) != nil {}
    pair.run(limit: .milliseconds(200)) { $0.client.isFinished }
    #expect(pair.client.connection == nil)
    pair.toClient.conditions.isDown = false
    pair.run { $0.client.isFinished }
    #expect(pair.client.connection != nil)
  }
}
