import STUN
import TestSupport
import Testing
import WireFormat

/// The test vectors of RFC 5769.
struct RFC5769Tests {
  static let password = "VOkJxbRl1RmTxUk/WvJxBt"

  static let request = hex(
    """
    000100582112a442b7e7a701bc34d686fa87dfae
    802200105354554e207465737420636c69656e74
    002400046e0001ff
    80290008932ff9b151263b36
    00060009 6576746a3a68367659 202020
    000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a2
    80280004e57a3bcf
    """)

  static let ipv4Response = hex(
    """
    0101003c2112a442b7e7a701bc34d686fa87dfae
    8022000b7465737420766563746f7220
    002000080001a147e112a643
    000800142b91f599fd9e90c38c7489f92af9ba53f06be7d7
    80280004c07d4c96
    """)

  static let ipv6Response = hex(
    """
    010100482112a442b7e7a701bc34d686fa87dfae
    8022000b7465737420766563746f7220
    002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9
    00080014a382954e4be67bf11784c97c8292c275bfe3ed41
    80280004c8fb0b4c
    """)

  static let longTermRequest = hex(
    """
    000100602112a44278ad3433c6ad72c029da412e
    00060012e3839ee38388e383aae38383e382afe382b90000
    0015001c662f2f3439396b39353464364f4c33346f4c394653547679363473 41
    0014000b6578616d706c652e6f726700
    00080014f67024656dd64a3e02b8e0712e85c9a28ca89666
    """)

  @Test func `the sample request decodes, is authentic, and encodes to the same bytes`() throws {
    let message = try STUNMessage(decoding: Self.request)
    #expect(message.messageClass == .request)
    #expect(message.method == .binding)
    #expect(message.software == "STUN test client")
    #expect(message.priority == 0x6E00_01FF)
    #expect(message.iceControlled == 0x932F_F9B1_5126_3B36)
    #expect(message.username == "evtj:h6vY")
    let key = STUNIntegrityKey(password: Self.password)
    #expect(message.isAuthentic(Self.request, key: key))
    #expect(!message.isAuthentic(Self.request, key: STUNIntegrityKey(password: "another")))
    #expect(message.encoded(key: key, padding: 0x20) == Self.request)
  }

  @Test(arguments: [(ipv4Response, "192.0.2.1"), (ipv6Response, "2001:db8:1234:5678:11:2233:4455:6677")])
  func `the sample responses decode, are authentic, and encode to the same bytes`(
    _ bytes: [UInt8], _ address: String
  ) throws {
    let message = try STUNMessage(decoding: bytes)
    #expect(message.messageClass == .success)
    #expect(message.mappedAddress == SocketAddress(address, port: 32853))
    let key = STUNIntegrityKey(password: Self.password)
    #expect(message.isAuthentic(bytes, key: key))
    #expect(message.encoded(key: key, padding: 0x20) == bytes)
  }

  @Test func `the request with long-term credentials is authentic and encodes to the same bytes`() throws {
    let message = try STUNMessage(decoding: Self.longTermRequest)
    #expect(message.username == "マトリックス")
    #expect(message.realm == "example.org")
    #expect(message.nonce == Array("f//499k954d6OL34oL9FSTvy64sA".utf8))
    let key = try #require(
      STUNIntegrityKey(username: "マトリックス", realm: "example.org", password: "TheMatrIX"))
    #expect(message.isAuthentic(Self.longTermRequest, key: key))
    #expect(message.encoded(key: key, fingerprint: false) == Self.longTermRequest)
  }
}
