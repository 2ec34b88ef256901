import DTLS
import Digest
import SRTP
import Testing
import TestSupport
import WireFormat

struct HandshakeTests {
  private func pair(_ change: (inout LinkEmulator<[UInt8]>.Conditions) -> Void = { _ in }) throws -> DTLSPair
  {
    var conditions = LinkEmulator<[UInt8]>.Conditions()
    conditions.delayMilliseconds = 10
    change(&conditions)
    return DTLSPair(
      clientCertificate: try TestCertificate.client.get(),
      serverCertificate: try TestCertificate.server.get(),
      conditions: conditions)
  }

  @Test func `both ends connect and export the same keys`() throws {
    let pair = try pair()
    pair.start()
    pair.runUntilFinished()
    let client = try #require(pair.client.connection)
    let server = try #require(pair.server.connection)
    #expect(client.version == "DTLSv1.2")
    #expect(client.cipher == "ECDHE-ECDSA-AES128-GCM-SHA256")
    #expect(client.srtp?.profile == .aeadAES128GCM)
    for (one, other) in [
      (client.outboundSRTPKey, server.inboundSRTPKey), (client.inboundSRTPKey, server.outboundSRTPKey),
    ] {
      let one = try #require(one)
      let other = try #require(other)
      #expect(one.array == other.array)
    }
    #expect(client.peerCertificate == (try TestCertificate.server.get().der))
    // Two round trips of 20 ms, not a retransmission timer more.
    #expect(pair.now - Instant(nanoseconds: 5_000_000_000) == .milliseconds(40))
    #expect(pair.client.transport.nextTimeout() == nil)
    #expect(pair.server.transport.nextTimeout() == nil)
  }

  @Test func `data goes both ways, one message a datagram`() throws {
    let pair = try pair()
    pair.start()
    pair.runUntilFinished()
    let messages = (0..<20).map { [UInt8](repeating: UInt8($0), count: 1 + $0 * 60) }
    for message in messages {
      try pair.client.transport.send(message, at: pair.now)
      try pair.server.transport.send(message, at: pair.now)
    }
    pair.settle()
    #expect(pair.client.messages == messages)
    #expect(pair.server.messages == messages)
  }
}
