import WireFormat

extension STUNAttribute {
  /// The number on the wire.
  package var type: UInt16 {
    switch self {
    case .mappedAddress: STUNAttributeType.mappedAddress
    case .xorMappedAddress: STUNAttributeType.xorMappedAddress
    case .username: STUNAttributeType.username
    case .userHash: STUNAttributeType.userHash
    case .messageIntegrity: STUNAttributeType.messageIntegrity
    case .messageIntegritySHA256: STUNAttributeType.messageIntegritySHA256
    case .fingerprint: STUNAttributeType.fingerprint
    case .errorCode: STUNAttributeType.errorCode
    case .unknownAttributes: STUNAttributeType.unknownAttributes
    case .realm: STUNAttributeType.realm
    case .nonce: STUNAttributeType.nonce
    case .passwordAlgorithms: STUNAttributeType.passwordAlgorithms
    case .passwordAlgorithm: STUNAttributeType.passwordAlgorithm
    case .software: STUNAttributeType.software
    case .alternateServer: STUNAttributeType.alternateServer
    case .alternateDomain: STUNAttributeType.alternateDomain
    case .priority: STUNAttributeType.priority
    case .useCandidate: STUNAttributeType.useCandidate
    case .iceControlled: STUNAttributeType.iceControlled
    case .iceControlling: STUNAttributeType.iceControlling
    case .channelNumber: STUNAttributeType.channelNumber
    case .lifetime: STUNAttributeType.lifetime
    case .xorPeerAddress: STUNAttributeType.xorPeerAddress
    case .xorRelayedAddress: STUNAttributeType.xorRelayedAddress
    case .data: STUNAttributeType.data
    case .requestedAddressFamily: STUNAttributeType.requestedAddressFamily
    case .additionalAddressFamily: STUNAttributeType.additionalAddressFamily
    case .addressErrorCode: STUNAttributeType.addressErrorCode
    case .evenPort: STUNAttributeType.evenPort
    case .requestedTransport: STUNAttributeType.requestedTransport
    case .dontFragment: STUNAttributeType.dontFragment
    case .reservationToken: STUNAttributeType.reservationToken
    case .icmp: STUNAttributeType.icmp
    case .responseOrigin: STUNAttributeType.responseOrigin
    case .otherAddress: STUNAttributeType.otherAddress
    case .unknown(let type, _): type
    }
  }

  func write(to writer: inout ByteWriter, transactionID: STUNTransactionID, padding: UInt8) {
    writer.write(type)
    let lengthOffset = writer.count
    writer.write(UInt16(0))
    writeValue(to: &writer, transactionID: transactionID)
    let length = writer.count - lengthOffset - 2
    writer.set(UInt16(truncatingIfNeeded: length), at: lengthOffset)
    for _ in 0..<(-length & 3) { writer.write(padding) }
  }

  private func writeValue(to writer: inout ByteWriter, transactionID: STUNTransactionID) {
    switch self {
    case .mappedAddress(let address), .alternateServer(let address), .responseOrigin(let address),
      .otherAddress(let address):
      STUNAttribute.write(address, xor: nil, to: &writer)
    case .xorMappedAddress(let address), .xorPeerAddress(let address), .xorRelayedAddress(let address):
      STUNAttribute.write(address, xor: transactionID, to: &writer)
    case .username(let text), .realm(let text), .software(let text), .alternateDomain(let text):
      writer.write(utf8: text)
    case .userHash(let bytes), .messageIntegrity(let bytes), .messageIntegritySHA256(let bytes),
      .nonce(let bytes), .data(let bytes), .unknown(_, let bytes):
      writer.write(bytes)
    case .errorCode(let error): STUNAttribute.write(error, family: 0, to: &writer)
    case .addressErrorCode(let family, let error):
      STUNAttribute.write(error, family: family.rawValue, to: &writer)
    case .unknownAttributes(let types): for type in types { writer.write(type) }
    case .passwordAlgorithms(let list): for one in list { STUNAttribute.write(one, to: &writer) }
    case .passwordAlgorithm(let one): STUNAttribute.write(one, to: &writer)
    case .fingerprint(let number), .priority(let number), .lifetime(let number): writer.write(number)
    case .iceControlled(let number), .iceControlling(let number), .reservationToken(let number):
      writer.write(number)
    case .useCandidate, .dontFragment: break
    case .channelNumber(let number):
      writer.write(number)
      writer.write(UInt16(0))
    case .requestedAddressFamily(let family), .additionalAddressFamily(let family):
      writer.write(family.rawValue)
      writer.writeZeros(3)
    case .evenPort(let reserveNext): writer.write(UInt8(reserveNext ? 0x80 : 0))
    case .requestedTransport(let number):
      writer.write(number)
      writer.writeZeros(3)
    case .icmp(let type, let code, let data):
      writer.writeZeros(2)
      writer.write(type)
      writer.write(code)
      writer.write(data)
    }
  }

  private static func write(_ error: STUNErrorCode, family: UInt8, to writer: inout ByteWriter) {
    writer.write(family)
    writer.write(UInt8(0))
    writer.write(UInt8(truncatingIfNeeded: error.code / 100))
    writer.write(UInt8(truncatingIfNeeded: error.code % 100))
    writer.write(utf8: error.reason)
  }

  private static func write(_ algorithm: STUNPasswordAlgorithm, to writer: inout ByteWriter) {
    writer.write(algorithm.number)
    writer.write(UInt16(truncatingIfNeeded: algorithm.parameters.count))
    writer.write(algorithm.parameters)
    writer.writeZeros(-algorithm.parameters.count & 3)
  }

  private static func write(
    _ address: SocketAddress, xor transactionID: STUNTransactionID?, to writer: inout ByteWriter
  ) {
    let mask = AddressMask(transactionID)
    writer.write(UInt8(0))
    writer.write(address.ip.family.rawValue)
    writer.write(address.port ^ mask.port)
    switch address.ip.family {
    case .ipv4: writer.write(UInt32(truncatingIfNeeded: address.ip.low) ^ mask.ipv4)
    case .ipv6:
      writer.write(address.ip.high ^ mask.ipv6High)
      writer.write(address.ip.low ^ mask.ipv6Low)
    }
  }
}
