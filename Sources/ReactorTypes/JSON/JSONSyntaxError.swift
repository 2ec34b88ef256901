/// Why bytes are not the JSON that was expected, or a value cannot be written as JSON.
package enum JSONSyntaxError: Error, Hashable, Sendable {
  /// The text ends within a value.
  case truncated
  /// The byte at `offset` cannot stand there.
  case unexpectedByte(offset: Int)
  /// A string is not UTF-8.
  case invalidUTF8(offset: Int)
  /// A number too large for a `Double`.
  case numberOutOfRange(offset: Int)
  /// An integer that a `Double` would change, where that was to be refused.
  case inexactInteger(offset: Int)
  /// Arrays and objects nested deeper than the limit.
  case tooDeep(limit: Int)
  /// More values than the limit.
  case tooManyValues(limit: Int)
  /// More bytes than the limit.
  case tooLong(limit: Int)
  /// NaN or infinity, which JSON cannot say.
  case notFinite
}
