/// How this side would answer an offered audio or video section.
package struct MediaSectionAnswer: Hashable, Sendable {
  /// What this side is ready for; the answer carries what the offer allows of it.
  package var direction: MediaDirection
  /// What this side can use, the most wanted first.
  package var codecs: [CodecCapability]
  /// Whether the order of ``codecs`` counts; else the offer's is kept (RFC 3264 section 6.1 recommends it).
  package var prefersOwnOrder: Bool
  /// URIs, see ``HeaderExtensionURI``.
  package var headerExtensions: [String]
  /// Needed when the answer's direction sends.
  package var stream: LocalStream?

  package init(
    direction: MediaDirection, codecs: [CodecCapability], prefersOwnOrder: Bool = false,
    headerExtensions: [String], stream: LocalStream? = nil
  ) {
    self.direction = direction
    self.codecs = codecs
    self.prefersOwnOrder = prefersOwnOrder
    self.headerExtensions = headerExtensions
    self.stream = stream
  }
}
