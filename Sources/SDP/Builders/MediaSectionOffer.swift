/// An audio or video section to be offered.
package struct MediaSectionOffer: Hashable, Sendable {
  package var mid: String
  package var kind: MediaKind
  /// Never `sendrecv` towards a Reactor runtime: it would mix up the names of received tracks.
  package var direction: MediaDirection
  /// The most wanted first.
  package var codecs: [CodecCapability]
  /// URIs, see ``HeaderExtensionURI``.
  package var headerExtensions: [String]
  /// Needed when the direction sends.
  package var stream: LocalStream?

  package init(
    mid: String, kind: MediaKind, direction: MediaDirection, codecs: [CodecCapability],
    headerExtensions: [String], stream: LocalStream? = nil
  ) {
    self.mid = mid
    self.kind = kind
    self.direction = direction
    self.codecs = codecs
    self.headerExtensions = headerExtensions
    self.stream = stream
  }
}
