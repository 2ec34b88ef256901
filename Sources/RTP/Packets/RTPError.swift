/// Why bytes are not the RTP packet or payload that they should be.
package enum RTPError: Error, Hashable, Sendable {
  /// Fewer bytes than the fixed part, a count or a length field asks for.
  case truncated
  /// The version is not 2.
  case unsupportedVersion(UInt8)
  /// The padding count is 0 or larger than what follows the header.
  case invalidPadding
  /// The header is fine and nothing that a decoder could use follows it.
  case emptyPayload
  /// A field holds a value that its format forbids.
  case malformed
  /// The buffer to write into is too small.
  case full
}
