/// The content type of a record (RFC 6347 section 4.1).
package struct DTLSContentType: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let changeCipherSpec = DTLSContentType(rawValue: 20)
  package static let alert = DTLSContentType(rawValue: 21)
  package static let handshake = DTLSContentType(rawValue: 22)
  package static let applicationData = DTLSContentType(rawValue: 23)
  package static let acknowledgement = DTLSContentType(rawValue: 26)
}
