/// An audio or video section whose codecs and extensions have their numbers, ready to be written.
struct MediaSectionContent {
  var mid: String?
  var kind: MediaKind
  var transportProtocol: String
  var direction: MediaDirection
  var codecs: [CodecDescription]
  var headerExtensions: [HeaderExtension]
  var stream: LocalStream?
  var hasReducedSizeRTCP: Bool
}
