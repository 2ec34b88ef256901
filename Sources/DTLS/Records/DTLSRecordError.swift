/// Why bytes are not a DTLS record.
package enum DTLSRecordError: Error, Hashable, Sendable {
  case unknownContentType(UInt8)
  case unknownVersion(UInt16)
  case connectionIdentifier
  case truncated
}
