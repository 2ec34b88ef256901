/// `a=rid` (RFC 8851): an RTP stream named by an identifier, with what it is restricted to.
package struct RestrictionIdentifier: Hashable, Sendable {
  package enum Direction: String, Hashable, Sendable { case send, recv }

  package var id: String
  package var direction: Direction
  /// `pt=…`, `max-width=…` and such, in the order written.
  package var restrictions: FormatParameters

  package init(id: String, direction: Direction, restrictions: FormatParameters = FormatParameters()) {
    self.id = id
    self.direction = direction
    self.restrictions = restrictions
  }

  init?(parsing value: Substring) {
    let tokens = value.tokens
    guard tokens.count >= 2, let direction = Direction(rawValue: String(tokens[1])) else { return nil }
    let rest = tokens.dropFirst(2).joined(separator: " ")
    self.init(
      id: String(tokens[0]), direction: direction, restrictions: FormatParameters(parsing: rest[...]))
  }
}
