/// What a message is in an exchange. The id, not this, decides what a reply belongs to.
package enum MessageKind: UInt64, Sendable {
  case unspecified = 0
  case request = 1
  case response = 2
  case notification = 3

  /// Numbers that this version does not know are unspecified.
  package init(wire: UInt64) {
    self = MessageKind(rawValue: wire) ?? .unspecified
  }
}
