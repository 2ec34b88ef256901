import Foundation
import SRTP
import Testing
import TestSupport
import WireFormat

struct RecordedPacketTests {
  private struct Peer: Decodable {
    struct Packet: Decodable {
      let kind: String
      let protected: String
      let clear: String
    }

    let peerDtlsRole: String
    let exportedKeyingMaterial: String
    let packets: [Packet]
  }

  static let recordings: [(SRTPProfile, String)] = [
    (.aes128CMSHA1With80BitTag, "plain-vp8"), (.aeadAES128GCM, "srtp-aes128-gcm"),
    (.aeadAES256GCM, "srtp-aes256-gcm"),
  ]

  @Test(arguments: recordings)
  func `packets of the real peers open, and protecting them again gives the same bytes`(
    profile: SRTPProfile, folder: String
  ) throws {
    let data = try Fixture.bytes("Packets/reactor/relay/\(folder)/00.srtp.json")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let peers = try decoder.decode([Peer].self, from: Data(data))
    #expect(peers.count == 2)
    for peer in peers {
      let exported = SecretBytes(copying: hex(peer.exportedKeyingMaterial).rawSpan)
      let material = try #require(SRTPKeyingMaterial(profile: profile, exported: exported))
      let key = peer.peerDtlsRole == "client" ? material.client : material.server
      let receiver = try SRTPSession(inbound: key, outbound: material.client)
      let sender = try SRTPSession(inbound: material.client, outbound: key)
      for packet in peer.packets {
        let buffer = PacketBuffer(copying: hex(packet.protected))
        if packet.kind == "rtp" {
          try receiver.unprotectRTP(buffer)
        } else {
          try receiver.unprotectRTCP(buffer)
        }
        #expect(hex(buffer.bytes.copyBytes()) == packet.clear)
        if packet.kind == "rtp" {
          try sender.protectRTP(buffer)
        } else {
          try sender.protectRTCP(buffer)
        }
        #expect(hex(buffer.bytes.copyBytes()) == packet.protected)
      }
      #expect(receiver.statistics.unprotected == UInt64(peer.packets.count))
    }
  }
}
