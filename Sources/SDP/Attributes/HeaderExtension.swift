/// An RTP header extension and its number, from `a=extmap` (RFC 8285 section 5).
package struct HeaderExtension: Hashable, Sendable {
  /// 1 to 14 in one-byte headers, to 255 in two-byte ones; 4096 to 4351 is a proposal without a number yet.
  package var id: UInt16
  /// nil: both ways, as the section.
  package var direction: MediaDirection?
  package var uri: String
  /// What stands behind the URI.
  package var parameters: String?

  package init(id: UInt16, uri: String, direction: MediaDirection? = nil, parameters: String? = nil) {
    self.id = id
    self.direction = direction
    self.uri = uri
    self.parameters = parameters
  }

  init?(parsing value: Substring) {
    let tokens = value.tokens
    guard tokens.count >= 2 else { return nil }
    var direction: MediaDirection?
    var number = tokens[0]
    if let (before, after) = tokens[0].halves(at: UInt8(ascii: "/")) {
      guard let known = MediaDirection(rawValue: String(after)) else { return nil }
      direction = known
      number = before
    }
    guard let id = UInt16(decimal: number), (1...255).contains(id) || (4096...4351).contains(id) else {
      return nil
    }
    let parameters = tokens.dropFirst(2).joined(separator: " ")
    self.init(
      id: id, uri: String(tokens[1]), direction: direction, parameters: parameters.isEmpty ? nil : parameters)
  }

  var value: String {
    let number = direction.map { "\(id)/\($0.rawValue)" } ?? "\(id)"
    return parameters.map { "\(number) \(uri) \($0)" } ?? "\(number) \(uri)"
  }
}
