import DTLS
import SRTP
import Testing
import TestSupport
import WireFormat

struct NegotiationTests {
  private func connect(client: [SRTPProfile], server: [SRTPProfile]) throws -> DTLSPair {
    let pair = DTLSPair(
      clientCertificate: try TestCertificate.client.get(),
      serverCertificate: try TestCertificate.server.get(),
      clientProfiles: client, serverProfiles: server)
    pair.start()
    pair.runUntilFinished()
    return pair
  }

  @Test(arguments: SRTPProfile.allCases)
  func `each profile can be agreed on, with keys of its length`(profile: SRTPProfile) throws {
    let pair = try connect(client: [profile], server: SRTPProfile.preferenceOrder)
    let client = try #require(pair.client.connection?.srtp)
    let server = try #require(pair.server.connection?.srtp)
    #expect(client.profile == profile)
    #expect(client.client.array.count == profile.keyLength + profile.saltLength)
    #expect(client.client.array == server.client.array)
    #expect(client.server.array == server.server.array)
    #expect(client.client.array != client.server.array)
  }

  @Test func `the server's order decides`() throws {
    let pair = try connect(
      client: [.aes128CMSHA1With80BitTag, .aeadAES256GCM, .aeadAES128GCM], server: SRTPProfile.preferenceOrder
    )
    #expect(pair.client.connection?.srtp?.profile == .aeadAES128GCM)
  }

  @Test(arguments: [
    ([SRTPProfile.aeadAES128GCM], [SRTPProfile.aeadAES256GCM]), ([], [.aeadAES128GCM]),
    ([.aeadAES128GCM], []),
  ])
  func `without a common profile the connection carries data alone`(
    client: [SRTPProfile], server: [SRTPProfile]
  ) throws {
    let pair = try connect(client: client, server: server)
    #expect(pair.client.connection != nil)
    #expect(pair.client.connection?.srtp == nil)
    #expect(pair.server.connection?.srtp == nil)
    try pair.client.transport.send([7], at: pair.now)
    pair.settle()
    #expect(pair.server.messages == [[7]])
  }

  @Test func `media protected by one end opens at the other`() throws {
    let pair = try connect(client: SRTPProfile.preferenceOrder, server: SRTPProfile.preferenceOrder)
    func session(_ connection: DTLSConnection?) throws -> SRTPSession {
      let connection = try #require(connection)
      let inbound = try #require(connection.inboundSRTPKey)
      let outbound = try #require(connection.outboundSRTPKey)
      return try SRTPSession(inbound: inbound, outbound: outbound)
    }
    let client = try session(pair.client.connection)
    let server = try session(pair.server.connection)
    for (sender, receiver) in [(client, server), (server, client)] {
      let clear = hex("80600001 00000001 00000002 cafe")
      let packet = PacketBuffer(copying: clear)
      try sender.protectRTP(packet)
      try receiver.unprotectRTP(packet)
      #expect(packet.array == clear)
    }
  }
}
