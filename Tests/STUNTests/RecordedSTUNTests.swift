import STUN
import TestSupport
import Testing
import WireFormat

/// Checks between the official client and runtime, both libwebrtc.
struct RecordedSTUNTests {
  private static func value(_ name: String, in sdp: String) -> String? {
    sdp.split(whereSeparator: \.isNewline).first { $0.hasPrefix("a=\(name):") }
      .map { String($0.dropFirst(name.count + 3)) }
  }

  @Test(arguments: ["wire-sped", "wire-dtls13"])
  func `recorded checks are authentic under the descriptions' passwords and encode to the same bytes`(
    _ folder: String
  ) throws {
    let path = "Packets/reactor/relay/\(folder)"
    var keys: [String: STUNIntegrityKey] = [:]
    for file in ["00.offer.sdp", "00.answer.sdp"] {
      let sdp = try Fixture.text("\(path)/\(file)")
      let ufrag = try #require(Self.value("ice-ufrag", in: sdp))
      keys[ufrag] = STUNIntegrityKey(password: try #require(Self.value("ice-pwd", in: sdp)))
    }
    var usedKeys: [STUNTransactionID: STUNIntegrityKey] = [:]
    var requests = 0
    var responses = 0
    for datagram in try PacketCapture.read("\(path)/00.wire.pcap")
    where STUNHeader.isPlausible(datagram.payload.rawSpan) {
      let message = try STUNMessage(decoding: datagram.payload)
      #expect(message.method == .binding)
      #expect(message.unknownRequiredTypes.isEmpty)
      let key: STUNIntegrityKey
      if message.messageClass == .request {
        let owner = try #require(message.username?.split(separator: ":").first)
        key = try #require(keys[String(owner)])
        usedKeys[message.transactionID] = key
        #expect(message.priority != nil)
        #expect((message.iceControlling == nil) != (message.iceControlled == nil))
        requests += 1
      } else {
        key = try #require(usedKeys[message.transactionID])
        #expect(message.mappedAddress != nil)
        responses += 1
      }
      #expect(message.isAuthentic(datagram.payload, key: key))
      #expect(message.encoded(key: key) == datagram.payload)
    }
    #expect(requests >= 4)
    #expect(responses >= 4)
  }

  @Test func `DTLS piggybacked in checks is readable as attributes that may be ignored`() throws {
    let datagrams = try PacketCapture.read("Packets/reactor/relay/wire-sped/00.wire.pcap")
    let piggybacked = try datagrams.filter { STUNHeader.isPlausible($0.payload.rawSpan) }
      .compactMap { try STUNMessage(decoding: $0.payload).unknownAttribute(0xC070) }
    // Handshake records: type 22, DTLS.
    #expect(piggybacked.contains { $0.starts(with: [0x16, 0xFE]) })
  }
}
