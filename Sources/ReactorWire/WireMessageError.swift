/// Why a data-channel message could not be read.
package enum WireMessageError: Error, Hashable, Sendable {
  /// It ends within a field.
  case truncated
  /// A tag, a length or a wire type that protobuf does not have.
  case malformed
  /// A string is not UTF-8.
  case invalidUTF8
  /// Structures nested deeper than the limit.
  case tooDeep(limit: Int)
  /// More values than the limit: memory is bounded by it, not by the size of the message.
  case tooManyValues(limit: Int)
  /// Text that is not JSON, or JSON that is not a message.
  case notAMessage
}
