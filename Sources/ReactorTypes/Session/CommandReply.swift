/// What a command's handler returned.
public struct CommandReply: Sendable, Hashable {
  /// The type of the returned message.
  public let type: String?
  /// Its content: nil when there was none, ``JSONValue/null`` when it was null.
  public let data: JSONValue?

  package init(type: String?, data: JSONValue?) {
    self.type = type
    self.data = data
  }

  /// The content as a value of type `T`.
  ///
  /// Throws ``ReactorError/decodeFailed`` when there is no content, or when it has another shape.
  public func decode<T>(_ type: T.Type) throws -> T where T: Decodable {
    guard let data else {
      throw ReactorError(.decodeFailed, "The reply carries no data to decode \(type) from")
    }
    do {
      return try data.decode(type)
    } catch {
      throw ReactorError(.decodeFailed, "The reply's data is not \(type): \(Redaction.redact("\(error)"))")
    }
  }
}
