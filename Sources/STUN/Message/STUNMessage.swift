import WireFormat

/// A STUN or TURN message (RFC 8489): what it is, which transaction it belongs to, and its attributes.
package struct STUNMessage: Sendable, Hashable {
  package var messageClass: STUNClass
  package var method: STUNMethod
  package var transactionID: STUNTransactionID
  /// In the order of the wire. After decoding: those that count, that is none after the integrity
  /// attributes except FINGERPRINT (RFC 8489 section 14.5).
  package var attributes: [STUNAttribute]
  /// Where the integrity attributes stood in the decoded bytes.
  package private(set) var integrity: [STUNIntegrityPosition] = []

  package init(
    _ messageClass: STUNClass, _ method: STUNMethod, transactionID: STUNTransactionID,
    attributes: [STUNAttribute] = []
  ) {
    self.messageClass = messageClass
    self.method = method
    self.transactionID = transactionID
    self.attributes = attributes
  }

  /// Reads one message. Bytes behind its own length are not looked at.
  package init(decoding bytes: RawSpan) throws(STUNError) {
    let header = try STUNHeader(bytes)
    guard header.attributesLength <= bytes.byteCount - STUNHeader.length else { throw .truncated }
    self.init(header.messageClass, header.method, transactionID: header.transactionID)
    let message = bytes.clamped(0..<(STUNHeader.length + header.attributesLength))
    var reader = ByteReader(message)
    var seenIntegrity = false
    do {
      try reader.skip(STUNHeader.length)
      while !reader.isAtEnd {
        let offset = reader.offset
        let type = try reader.uint16()
        let length = Int(try reader.uint16())
        let value = try reader.bytes(length)
        try reader.skip(-length & 3)
        switch type {
        case STUNAttributeType.fingerprint:
          try STUNMessage.checkFingerprint(value, of: message, at: offset, isLast: reader.isAtEnd)
        case STUNAttributeType.messageIntegrity, STUNAttributeType.messageIntegritySHA256:
          guard let position = STUNIntegrityPosition(type: type, offset: offset, length: length) else {
            throw STUNError.malformedAttribute(type)
          }
          // Of two of a kind only the first counts, like for all attributes.
          if integrity.contains(where: { $0.algorithm == position.algorithm }) { continue }
          integrity.append(position)
          seenIntegrity = true
        default:
          if seenIntegrity { continue }
        }
        attributes.append(try STUNAttribute(type: type, value: value, transactionID: transactionID))
      }
    } catch let error as STUNError {
      throw error
    } catch {
      throw .truncated
    }
  }

  private static func checkFingerprint(
    _ value: RawSpan, of message: RawSpan, at offset: Int, isLast: Bool
  ) throws(STUNError) {
    var reader = ByteReader(value)
    guard value.byteCount == 4, let given = try? reader.uint32() else {
      throw .malformedAttribute(STUNAttributeType.fingerprint)
    }
    guard isLast else { throw .fingerprintNotLast }
    guard given == fingerprint(of: message.clamped(0..<offset)) else { throw .fingerprintMismatch }
  }

  static func fingerprint(of bytes: RawSpan) -> UInt32 {
    CRC32.checksum(bytes) ^ 0x5354_554E
  }

  /// The bytes of the message.
  ///
  /// - Parameters:
  ///   - key: adds MESSAGE-INTEGRITY (or the SHA-256 one, by `algorithm`) when given.
  ///   - fingerprint: adds FINGERPRINT.
  ///   - padding: what fills the values up to four bytes; anything but 0 is for reproducing recorded bytes.
  /// Integrity and fingerprint attributes within ``attributes`` are left out: they are computed.
  package func encoded(
    key: STUNIntegrityKey? = nil, algorithm: STUNIntegrityAlgorithm = .sha1, fingerprint: Bool = true,
    padding: UInt8 = 0
  ) -> [UInt8] {
    var writer = ByteWriter(capacity: 160)
    writer.write(STUNHeader.type(messageClass, method))
    writer.write(UInt16(0))
    writer.write(STUNHeader.magicCookie)
    writer.write(transactionID.high)
    writer.write(transactionID.low)
    for attribute in attributes where !attribute.isComputed {
      attribute.write(to: &writer, transactionID: transactionID, padding: padding)
    }
    if let key {
      STUNMessage.setLength(&writer, adding: 4 + algorithm.codeLength)
      let code = key.code(over: writer.bytes, algorithm: algorithm)
      writer.write(algorithm.attributeType)
      writer.write(UInt16(truncatingIfNeeded: code.count))
      writer.write(code)
    }
    if fingerprint {
      STUNMessage.setLength(&writer, adding: 8)
      let value = STUNMessage.fingerprint(of: writer.bytes.rawSpan)
      writer.write(STUNAttributeType.fingerprint)
      writer.write(UInt16(4))
      writer.write(value)
    }
    STUNMessage.setLength(&writer, adding: 0)
    return writer.bytes
  }

  private static func setLength(_ writer: inout ByteWriter, adding more: Int) {
    writer.set(UInt16(truncatingIfNeeded: writer.count - STUNHeader.length + more), at: 2)
  }

  /// Whether the message, decoded from `bytes`, carries an integrity code made with `key`.
  ///
  /// SHA-256 is checked when it is there, else SHA-1 (RFC 8489 section 9); a message with neither is not
  /// authentic. The comparison takes constant time.
  package func isAuthentic(_ bytes: RawSpan, key: STUNIntegrityKey) -> Bool {
    let best = integrity.first { $0.algorithm == .sha256 } ?? integrity.first
    guard let best else { return false }
    return key.verify(bytes, at: best)
  }
}
