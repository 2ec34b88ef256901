import WireFormat

/// The first attribute of each kind: later ones of the same kind do not count (RFC 8489 section 14).
extension STUNMessage {
  private func first<Value>(_ pick: (STUNAttribute) -> Value?) -> Value? {
    for attribute in attributes {
      if let value = pick(attribute) { return value }
    }
    return nil
  }

  /// XOR-MAPPED-ADDRESS, or the MAPPED-ADDRESS of an old server.
  package var mappedAddress: SocketAddress? {
    first { if case .xorMappedAddress(let value) = $0 { value } else { nil } }
      ?? first { if case .mappedAddress(let value) = $0 { value } else { nil } }
  }

  package var username: String? { first { if case .username(let value) = $0 { value } else { nil } } }
  package var realm: String? { first { if case .realm(let value) = $0 { value } else { nil } } }
  package var nonce: [UInt8]? { first { if case .nonce(let value) = $0 { value } else { nil } } }
  package var errorCode: STUNErrorCode? {
    first { if case .errorCode(let value) = $0 { value } else { nil } }
  }
  package var priority: UInt32? { first { if case .priority(let value) = $0 { value } else { nil } } }
  package var iceControlling: UInt64? {
    first { if case .iceControlling(let value) = $0 { value } else { nil } }
  }
  package var iceControlled: UInt64? {
    first { if case .iceControlled(let value) = $0 { value } else { nil } }
  }
  package var useCandidate: Bool { attributes.contains(.useCandidate) }
  package var lifetime: UInt32? { first { if case .lifetime(let value) = $0 { value } else { nil } } }
  package var channelNumber: UInt16? {
    first { if case .channelNumber(let value) = $0 { value } else { nil } }
  }
  package var xorRelayedAddress: SocketAddress? {
    first { if case .xorRelayedAddress(let value) = $0 { value } else { nil } }
  }
  package var xorPeerAddress: SocketAddress? {
    first { if case .xorPeerAddress(let value) = $0 { value } else { nil } }
  }
  package var alternateServer: SocketAddress? {
    first { if case .alternateServer(let value) = $0 { value } else { nil } }
  }
  package var passwordAlgorithms: [STUNPasswordAlgorithm]? {
    first { if case .passwordAlgorithms(let value) = $0 { value } else { nil } }
  }
  package var software: String? { first { if case .software(let value) = $0 { value } else { nil } } }

  /// The value of an attribute that this module gives no meaning to.
  package func unknownAttribute(_ type: UInt16) -> [UInt8]? {
    first { if case .unknown(type, let value) = $0 { value } else { nil } }
  }

  /// Types that the receiver must understand and we do not: they call for a 420 answer to a request, and
  /// make a response or indication useless (RFC 8489 section 6.3).
  package var unknownRequiredTypes: [UInt16] {
    attributes.compactMap { if case .unknown(let type, _) = $0, type < 0x8000 { type } else { nil } }
  }
}
