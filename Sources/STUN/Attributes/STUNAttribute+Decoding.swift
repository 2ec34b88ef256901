import WireFormat

extension STUNAttribute {
  /// Gives a value its meaning. A malformed value of a type that may be ignored becomes ``unknown(_:_:)``.
  init(type: UInt16, value: RawSpan, transactionID: STUNTransactionID) throws(STUNError) {
    do throws(WireError) {
      if let known = try STUNAttribute.known(type: type, value: value, transactionID: transactionID) {
        self = known
        return
      }
    } catch {
      if type < 0x8000 { throw .malformedAttribute(type) }
    }
    self = .unknown(type, value.copyBytes())
  }

  private static func known(
    type: UInt16, value: RawSpan, transactionID: STUNTransactionID
  ) throws(WireError) -> STUNAttribute? {
    var reader = ByteReader(value)
    switch type {
    case STUNAttributeType.mappedAddress: return .mappedAddress(try address(value))
    case STUNAttributeType.xorMappedAddress: return .xorMappedAddress(try address(value, xor: transactionID))
    case STUNAttributeType.xorPeerAddress: return .xorPeerAddress(try address(value, xor: transactionID))
    case STUNAttributeType.xorRelayedAddress:
      return .xorRelayedAddress(try address(value, xor: transactionID))
    case STUNAttributeType.alternateServer: return .alternateServer(try address(value))
    case STUNAttributeType.responseOrigin: return .responseOrigin(try address(value))
    case STUNAttributeType.otherAddress: return .otherAddress(try address(value))
    case STUNAttributeType.username: return .username(try text(value, limit: 513))
    case STUNAttributeType.realm: return .realm(try text(value, limit: 763))
    case STUNAttributeType.software: return .software(try text(value, limit: 763))
    case STUNAttributeType.alternateDomain: return .alternateDomain(try text(value, limit: 255))
    case STUNAttributeType.nonce: return .nonce(try exact(value, 0...763))
    case STUNAttributeType.userHash: return .userHash(try exact(value, 32...32))
    case STUNAttributeType.messageIntegrity: return .messageIntegrity(try exact(value, 20...20))
    case STUNAttributeType.messageIntegritySHA256: return .messageIntegritySHA256(try exact(value, 16...32))
    case STUNAttributeType.data: return .data(value.copyBytes())
    case STUNAttributeType.errorCode: return .errorCode(try errorCode(&reader))
    case STUNAttributeType.unknownAttributes: return .unknownAttributes(try numbers(value))
    case STUNAttributeType.passwordAlgorithms:
      var list: [STUNPasswordAlgorithm] = []
      while !reader.isAtEnd { list.append(try passwordAlgorithm(&reader)) }
      return .passwordAlgorithms(list)
    case STUNAttributeType.passwordAlgorithm: return .passwordAlgorithm(try passwordAlgorithm(&reader))
    default: return try number(type: type, value: value)
    }
  }

  /// The attributes that are a number of fixed size, or nothing.
  private static func number(type: UInt16, value: RawSpan) throws(WireError) -> STUNAttribute? {
    var reader = ByteReader(value)
    let result: STUNAttribute
    switch type {
    case STUNAttributeType.fingerprint: result = .fingerprint(try reader.uint32())
    case STUNAttributeType.priority: result = .priority(try reader.uint32())
    case STUNAttributeType.useCandidate: result = .useCandidate
    case STUNAttributeType.iceControlled: result = .iceControlled(try reader.uint64())
    case STUNAttributeType.iceControlling: result = .iceControlling(try reader.uint64())
    case STUNAttributeType.lifetime: result = .lifetime(try reader.uint32())
    case STUNAttributeType.dontFragment: result = .dontFragment
    case STUNAttributeType.reservationToken: result = .reservationToken(try reader.uint64())
    case STUNAttributeType.evenPort: result = .evenPort(reserveNext: try reader.uint8() & 0x80 != 0)
    case STUNAttributeType.channelNumber:
      result = .channelNumber(try reader.uint16())
      try reader.skip(2)
    case STUNAttributeType.requestedTransport:
      result = .requestedTransport(try reader.uint8())
      try reader.skip(3)
    case STUNAttributeType.requestedAddressFamily: result = .requestedAddressFamily(try family(&reader))
    case STUNAttributeType.additionalAddressFamily: result = .additionalAddressFamily(try family(&reader))
    case STUNAttributeType.addressErrorCode:
      guard let family = IPAddress.Family(rawValue: value.byte(at: 0) ?? 0) else { throw malformed(value) }
      return .addressErrorCode(family, try errorCode(&reader))
    case STUNAttributeType.icmp:
      try reader.skip(2)
      result = .icmp(type: try reader.uint8(), code: try reader.uint8(), data: try reader.uint32())
    default: return nil
    }
    guard reader.isAtEnd else { throw malformed(value) }
    return result
  }

  // Only told apart from a read past the end by the caller's fallback, which treats both alike.
  private static func malformed(_ value: RawSpan) -> WireError {
    .truncated(needed: 0, available: value.byteCount)
  }

  private static func family(_ reader: inout ByteReader) throws(WireError) -> IPAddress.Family {
    let family = IPAddress.Family(rawValue: try reader.uint8())
    try reader.skip(3)
    guard let family else { throw .truncated(needed: 0, available: reader.remaining) }
    return family
  }

  private static func exact(_ value: RawSpan, _ sizes: ClosedRange<Int>) throws(WireError) -> [UInt8] {
    guard sizes.contains(value.byteCount) else { throw malformed(value) }
    return value.copyBytes()
  }

  private static func text(_ value: RawSpan, limit: Int) throws(WireError) -> String {
    guard value.byteCount <= limit, let text = String(validating: value.copyBytes(), as: UTF8.self) else {
      throw malformed(value)
    }
    return text
  }

  private static func numbers(_ value: RawSpan) throws(WireError) -> [UInt16] {
    var reader = ByteReader(value)
    var list: [UInt16] = []
    while !reader.isAtEnd { list.append(try reader.uint16()) }
    return list
  }

  private static func errorCode(_ reader: inout ByteReader) throws(WireError) -> STUNErrorCode {
    try reader.skip(2)
    let hundreds = Int(try reader.uint8() & 7)
    let rest = Int(try reader.uint8())
    let phrase = reader.rest()
    guard (3...6).contains(hundreds), rest < 100 else { throw malformed(phrase) }
    // The phrase is for people: damaged UTF-8 in it is repaired, not refused.
    return STUNErrorCode(
      hundreds * 100 + rest, String(decoding: phrase.clamped(0..<763).copyBytes(), as: UTF8.self))
  }

  private static func passwordAlgorithm(
    _ reader: inout ByteReader
  ) throws(WireError) -> STUNPasswordAlgorithm {
    let number = try reader.uint16()
    let length = Int(try reader.uint16())
    let parameters = try reader.bytes(length).copyBytes()
    if !reader.isAtEnd { try reader.skip(-length & 3) }
    return STUNPasswordAlgorithm(number: number, parameters: parameters)
  }

  /// MAPPED-ADDRESS, or with `xor` XOR-MAPPED-ADDRESS (RFC 8489 sections 14.1 and 14.2).
  static func address(
    _ value: RawSpan, xor transactionID: STUNTransactionID? = nil
  ) throws(WireError) -> SocketAddress {
    var reader = ByteReader(value)
    try reader.skip(1)
    let family = try reader.uint8()
    let mask = AddressMask(transactionID)
    let port = try reader.uint16() ^ mask.port
    let ip: IPAddress
    switch IPAddress.Family(rawValue: family) {
    case .ipv4: ip = IPAddress(ipv4: try reader.uint32() ^ mask.ipv4)
    case .ipv6:
      ip = IPAddress(ipv6High: try reader.uint64() ^ mask.ipv6High, low: try reader.uint64() ^ mask.ipv6Low)
    case nil: throw malformed(value)
    }
    guard reader.isAtEnd else { throw malformed(value) }
    return SocketAddress(ip: ip, port: port)
  }
}
