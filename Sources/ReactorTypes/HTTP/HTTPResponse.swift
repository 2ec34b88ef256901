/// The head of an HTTP answer.
public struct HTTPResponse: Sendable {
  /// The status code.
  public let status: Int
  /// Header fields; the built-in transport writes their names in lower case.
  public let headers: [String: String]

  /// A head with this status and these header fields.
  public init(status: Int, headers: [String: String]) {
    self.status = status
    self.headers = headers
  }

  /// The field `name`, whatever the case of either.
  package func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    if let value = headers[wanted] { return value }
    return headers.first { $0.key.lowercased() == wanted }?.value
  }

  /// Whether the status says success.
  package var isSuccess: Bool { (200..<300).contains(status) }
}
