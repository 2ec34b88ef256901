import WireFormat

/// The fixed 20 bytes in front of each message (RFC 8489 section 5).
package struct STUNHeader: Hashable, Sendable {
  package static let length = 20
  package static let magicCookie: UInt32 = 0x2112_A442

  package var messageClass: STUNClass
  package var method: STUNMethod
  /// Bytes of attributes that follow; a multiple of 4.
  package var attributesLength: Int
  package var transactionID: STUNTransactionID

  package init(_ bytes: RawSpan) throws(STUNError) {
    var reader = ByteReader(bytes)
    do {
      let type = try reader.uint16()
      let length = try reader.uint16()
      let cookie = try reader.uint32()
      guard type & 0xC000 == 0, cookie == STUNHeader.magicCookie, length & 3 == 0 else {
        throw STUNError.notSTUN
      }
      self.init(
        type: type, attributesLength: Int(length),
        transactionID: STUNTransactionID(high: try reader.uint32(), low: try reader.uint64()))
    } catch let error as STUNError {
      throw error
    } catch {
      throw .truncated
    }
  }

  private init(type: UInt16, attributesLength: Int, transactionID: STUNTransactionID) {
    // The class's two bits sit inside the method's twelve (RFC 8489 figure 3).
    let classBits = UInt8(truncatingIfNeeded: (type &>> 7 & 2) | (type &>> 4 & 1))
    messageClass = STUNClass(rawValue: classBits) ?? .request
    method = STUNMethod(rawValue: (type & 0xF) | (type &>> 1 & 0x70) | (type &>> 2 & 0xF80))
    self.attributesLength = attributesLength
    self.transactionID = transactionID
  }

  /// The message type field.
  package static func type(_ messageClass: STUNClass, _ method: STUNMethod) -> UInt16 {
    let bits = UInt16(messageClass.rawValue)
    let number = method.rawValue
    return (number & 0xF) | (number & 0x70) &<< 1 | (number & 0xF80) &<< 2 | (bits & 1) &<< 4
      | (bits & 2) &<< 7
  }

  /// Whether `bytes` begin like a STUN message, by the bits that no protocol beside it shares (RFC 7983).
  package static func isPlausible(_ bytes: RawSpan) -> Bool {
    guard let first = bytes.byte(at: 0), first < 4, bytes.byteCount >= length else { return false }
    return bytes.byte(at: 4) == 0x21 && bytes.byte(at: 5) == 0x12 && bytes.byte(at: 6) == 0xA4
      && bytes.byte(at: 7) == 0x42
  }
}
