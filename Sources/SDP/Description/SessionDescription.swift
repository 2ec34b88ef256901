/// A session description (RFC 8866) as WebRTC uses it: typed where it has a meaning, verbatim where it has none.
///
/// Parsing and writing again changes nothing but line ends, blanks at the ends of lines, and empty lines.
package struct SessionDescription: AttributeContainer, Hashable, Sendable {
  package var origin: Origin
  /// Everything between `o=` and the first `m=`, in order.
  package var lines: [SDPLine]
  package var media: [MediaSection]

  package init(origin: Origin, lines: [SDPLine] = SessionDescription.plainLines, media: [MediaSection] = []) {
    self.origin = origin
    self.lines = lines
    self.media = media
  }

  /// `s=-` and `t=0 0`, without which no description is complete.
  package static let plainLines: [SDPLine] = [
    .other(type: UInt8(ascii: "s"), value: "-"), .other(type: UInt8(ascii: "t"), value: "0 0"),
  ]

  /// Lines may end in LF or CRLF, the last one in nothing; blanks at their ends and empty lines are forgiven.
  /// A known attribute that is malformed costs itself only: it stays in ``lines`` uninterpreted.
  package init(parsing text: String) throws(SDPError) {
    self = try DescriptionParser.parse(text)
  }

  /// The text, every line (the last one too) ended by CRLF.
  package func serialized() -> String {
    var text = "v=0\r\no=\(origin.value)\r\n"
    for line in lines { text += line.text + "\r\n" }
    for section in media {
      text += section.mediaLine + "\r\n"
      for line in section.lines { text += line.text + "\r\n" }
    }
    return text
  }

  /// The number, from 1, of a section's `m=` line in ``serialized()``; for the session part, of its first line.
  package func lineNumber(ofSection index: Int?) -> Int {
    guard let index else { return 1 }
    return media.prefix(max(0, index)).reduce(3 + lines.count) { $0 + 1 + $1.lines.count }
  }

  // MARK: Session-level meaning

  package var groups: [MediaGroup] { all { if case .group(let group) = $0 { group } else { nil } } }

  /// The first BUNDLE group's mids; this package uses no second one.
  package var bundle: [String]? { groups.first { $0.isBundle }?.mids }

  /// Whether `a=x-reactor-frame-metadata:1` stands here.
  package var declaresFrameMetadata: Bool { has(.reactorFrameMetadata(version: "1")) }

  /// `a=x-reactor-dc-chunking`, when it is of the version that there is.
  package var dataChannelChunking: DataChannelChunking? {
    first { if case .reactorChunking(let chunking) = $0, chunking.isSupported { chunking } else { nil } }
  }

  package func sectionIndex(mid: String) -> Int? {
    media.firstIndex { $0.mid == mid }
  }

  // MARK: What a section inherits

  /// The section's direction, or the session's, or `sendrecv`.
  package func direction(ofSection index: Int) -> MediaDirection {
    section(index)?.direction ?? direction ?? .sendrecv
  }

  package func headerExtensions(ofSection index: Int) -> [HeaderExtension] {
    let own = section(index)?.headerExtensions ?? []
    return own.isEmpty ? headerExtensions : own
  }

  /// nil unless both user fragment and password are known, from the section or the session.
  package func iceCredentials(ofSection index: Int) -> IceCredentials? {
    guard let ufrag = section(index)?.iceUfrag ?? iceUfrag, let pwd = section(index)?.icePwd ?? icePwd else {
      return nil
    }
    return IceCredentials(ufrag: ufrag, pwd: pwd)
  }

  package func iceOptions(ofSection index: Int) -> [String] {
    section(index)?.iceOptions ?? iceOptions ?? []
  }

  package func setup(ofSection index: Int) -> DTLSSetup? {
    section(index)?.setup ?? setup
  }

  package func fingerprints(ofSection index: Int) -> [Fingerprint] {
    let own = section(index)?.fingerprints ?? []
    return own.isEmpty ? fingerprints : own
  }

  func section(_ index: Int) -> MediaSection? {
    media.indices.contains(index) ? media[index] : nil
  }
}
