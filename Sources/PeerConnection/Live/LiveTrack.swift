/// A media track of a live connection: a name for people, a section of the description underneath.
package struct LiveTrack: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case video
    case audio
  }

  package let name: String
  package let kind: Kind
  /// Whether this side sends it; else it receives it.
  package let isSending: Bool

  package init(name: String, kind: Kind, isSending: Bool) {
    self.name = name
    self.kind = kind
    self.isSending = isSending
  }
}
