/// What stands in front of a record's fragment.
package enum DTLSRecordHeader: Hashable, Sendable {
  /// RFC 6347 section 4.1; also DTLS 1.3 before encryption.
  case plain(type: DTLSContentType, version: UInt16, epoch: UInt16, sequenceNumber: UInt64)
  /// An encrypted DTLS 1.3 record (RFC 9147 section 4): the low two bits of its epoch.
  case unified(epochLowBits: UInt8)

  /// Whether the record is encrypted, as far as the header tells.
  package var isProtected: Bool {
    switch self {
    case .plain(_, _, let epoch, _): epoch > 0
    case .unified: true
    }
  }
}
