/// `a=msid` (RFC 8830): which stream a section's track belongs to; `-` for none.
package struct MediaStreamID: Hashable, Sendable {
  package var stream: String
  package var track: String?

  package init(stream: String, track: String?) {
    self.stream = stream
    self.track = track
  }

  init?(parsing value: Substring) {
    let tokens = value.tokens
    guard let stream = tokens.first else { return nil }
    self.init(stream: String(stream), track: tokens.count > 1 ? String(tokens[1]) : nil)
  }

  var value: String { track.map { "\(stream) \($0)" } ?? stream }
}
