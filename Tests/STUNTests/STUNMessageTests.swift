import STUN
import TestSupport
import Testing
import WireFormat

struct STUNMessageTests {
  static let id = STUNTransactionID(high: 0x0102_0304, low: 0x0506_0708_090A_0B0C)
  static let ipv4 = SocketAddress(ip: IPAddress(ipv4: 0xC000_0201), port: 4242)
  static let ipv6 = SocketAddress(ip: IPAddress(ipv6High: 0x2001_0DB8_0000_0000, low: 7), port: 1)

  static let everyAttribute: [STUNAttribute] = [
    .mappedAddress(ipv4), .mappedAddress(ipv6), .xorMappedAddress(ipv4), .xorMappedAddress(ipv6),
    .username("a:b"), .userHash([UInt8](repeating: 7, count: 32)),
    .errorCode(STUNErrorCode(438, "Stale Nonce")), .unknownAttributes([0x7FFF, 0x0002]),
    .realm("example.org"),
    .nonce(Array("nonce".utf8)), .passwordAlgorithms([.sha256, .md5]), .passwordAlgorithm(.sha256),
    .software("s"), .alternateServer(ipv4), .alternateDomain("example.net"), .priority(1), .useCandidate,
    .iceControlled(2), .iceControlling(.max), .channelNumber(0x4001), .lifetime(600), .xorPeerAddress(ipv6),
    .xorRelayedAddress(ipv4), .data([1, 2, 3, 4, 5]), .requestedAddressFamily(.ipv6),
    .additionalAddressFamily(.ipv4), .addressErrorCode(.ipv6, STUNErrorCode(440, "Unsupported")),
    .evenPort(reserveNext: true), .requestedTransport(17), .dontFragment, .reservationToken(9),
    .icmp(type: 3, code: 4, data: 5), .responseOrigin(ipv4), .otherAddress(ipv6),
    .unknown(0xC070, [1, 2, 3]),
    .unknown(0x7777, []),
  ]

  @Test(arguments: everyAttribute)
  func `each attribute survives encoding and decoding`(_ attribute: STUNAttribute) throws {
    let message = STUNMessage(.indication, .data, transactionID: Self.id, attributes: [attribute])
    let bytes = message.encoded(fingerprint: false)
    #expect(bytes.count % 4 == 0)
    let decoded = try STUNMessage(decoding: bytes)
    #expect(decoded.attributes == [attribute])
    #expect(decoded.transactionID == Self.id)
    #expect(decoded.encoded(fingerprint: false) == bytes)
  }

  @Test(arguments: everyAttribute)
  func `each attribute cut short is an error or an unknown one, never a trap`(
    _ attribute: STUNAttribute
  ) throws {
    let whole = STUNMessage(.request, .binding, transactionID: Self.id, attributes: [attribute])
      .encoded(fingerprint: false)
    let length = Int(whole[22]) << 8 | Int(whole[23])
    for shorter in 0..<length {
      var bytes = Array(whole.prefix(24 + shorter + (-shorter & 3)))
      bytes[23] = UInt8(shorter & 255)
      bytes[22] = UInt8(shorter >> 8)
      bytes[3] = UInt8((bytes.count - 20) & 255)
      bytes[2] = UInt8((bytes.count - 20) >> 8)
      _ = try? STUNMessage(decoding: bytes)
    }
  }

  @Test func `a message is looked at only as far as its own length`() throws {
    let bytes = STUNMessage(.request, .binding, transactionID: Self.id, attributes: [.priority(1)]).encoded()
    let message = try STUNMessage(decoding: (bytes + [0xFF, 0xFF, 0xFF]))
    #expect(message.priority == 1)
  }

  @Test func `what is not STUN says why`() throws {
    let good = STUNMessage(.request, .binding, transactionID: Self.id, attributes: [.priority(1)]).encoded()
    #expect(throws: STUNError.truncated) { try STUNMessage(decoding: good.dropLast(1)) }
    #expect(throws: STUNError.truncated) { try STUNMessage(decoding: good.prefix(19)) }
    var bytes = good
    bytes[0] |= 0x80
    #expect(throws: STUNError.notSTUN) { try STUNMessage(decoding: bytes) }
    bytes = good
    bytes[5] = 0
    #expect(throws: STUNError.notSTUN) { try STUNMessage(decoding: bytes) }
    bytes = good
    bytes[3] |= 1
    #expect(throws: STUNError.notSTUN) { try STUNMessage(decoding: bytes) }
    bytes = good
    bytes[27] ^= 1
    #expect(throws: STUNError.fingerprintMismatch) { try STUNMessage(decoding: bytes) }
    let misplaced = [UInt8](good) + hex("0024000400000001")
    bytes = misplaced
    bytes[3] = UInt8(bytes.count - 20)
    #expect(throws: STUNError.fingerprintNotLast) { try STUNMessage(decoding: bytes) }
    bytes = STUNMessage(
      .request, .binding, transactionID: Self.id, attributes: [.unknown(STUNAttributeType.priority, [1])]
    ).encoded()
    #expect(throws: STUNError.malformedAttribute(STUNAttributeType.priority)) {
      try STUNMessage(decoding: bytes)
    }
  }

  @Test func `attributes between the integrity code and the fingerprint do not count`() throws {
    let key = STUNIntegrityKey(password: "p")
    let signed = STUNMessage(.request, .binding, transactionID: Self.id, attributes: [.priority(5)])
      .encoded(key: key, fingerprint: false)
    var bytes = signed + hex("00250000")
    bytes[3] = UInt8(bytes.count - 20)
    let message = try STUNMessage(decoding: bytes)
    #expect(!message.useCandidate)
    #expect(message.isAuthentic(bytes, key: key))
  }

  @Test func `any flipped bit before the integrity code makes the message unauthentic`() throws {
    let key = STUNIntegrityKey(password: "p")
    let bytes = STUNMessage(.request, .binding, transactionID: Self.id, attributes: [.username("a:b")])
      .encoded(key: key, fingerprint: false)
    for index in 8..<(bytes.count - 24) {
      var damaged = bytes
      damaged[index] ^= 1
      guard let message = try? STUNMessage(decoding: damaged) else { continue }
      #expect(!message.isAuthentic(damaged, key: key))
    }
  }

  @Test func `the SHA-256 code is preferred, may be cut to 16 bytes, and no shorter`() throws {
    let key = STUNIntegrityKey(password: "p")
    let bytes = STUNMessage(.request, .binding, transactionID: Self.id)
      .encoded(key: key, algorithm: .sha256, fingerprint: false)
    let message = try STUNMessage(decoding: bytes)
    #expect(message.integrity.map(\.algorithm) == [.sha256])
    #expect(message.isAuthentic(bytes, key: key))
    for length in [12, 18] {
      var short = Array(bytes.prefix(24 + length))
      short += [UInt8](repeating: 0, count: -short.count & 3)
      short[23] = UInt8(length)
      short[3] = UInt8(short.count - 20)
      #expect(throws: STUNError.malformedAttribute(STUNAttributeType.messageIntegritySHA256)) {
        try STUNMessage(decoding: short)
      }
    }
  }

  @Test func `unknown attributes that must be understood are told from those that need not`() throws {
    let bytes = STUNMessage(
      .request, .binding, transactionID: Self.id,
      attributes: [.unknown(0x7001, [1]), .unknown(0x9001, [1]), .unknown(0x0002, [])]
    ).encoded()
    #expect(try STUNMessage(decoding: bytes).unknownRequiredTypes == [0x7001, 0x0002])
  }

  @Test func `mutated messages decode or fail, and never trap`() {
    var random = RandomSource(seed: 5)
    let seeds = [RFC5769Tests.request, RFC5769Tests.ipv6Response, RFC5769Tests.longTermRequest]
    let key = STUNIntegrityKey(password: "p")
    for round in 0..<30_000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<(1 + Int(random.next() % 4)) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 3 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
      if let message = try? STUNMessage(decoding: bytes) {
        _ = message.isAuthentic(bytes, key: key)
        _ = message.encoded()
      }
      _ = TURNIndication.parseData(bytes)
      _ = ChannelData.parse(bytes)
    }
  }
}
