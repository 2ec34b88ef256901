#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An HLS playlist of fragmented MP4 (RFC 8216), as far as a download needs it.
package struct Playlist: Hashable, Sendable {
  package static let maxBytes = 1 << 20
  package static let maxSegments = 100_000

  package enum Failure: Error, Hashable, Sendable {
    case notAPlaylist
    case noSegments
    /// Fragments without `EXT-X-MAP`: they would make a file that nothing plays.
    case noInitSegment
    case badURI
    case tooManySegments
    /// A playlist of playlists.
    case isMaster
  }

  /// The init segment, if there is one, and the fragments in order.
  package let segments: [URL]
  package let hasInitSegment: Bool

  /// - Parameter base: the URL that the playlist came from; relative URIs resolve against it.
  package init(text: String, base: URL) throws(Failure) {
    var lines: [Substring] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let trimmed = Playlist.trimmed(line)
      if !trimmed.isEmpty { lines.append(trimmed) }
    }
    guard lines.first == "#EXTM3U" else { throw .notAPlaylist }
    var initSegment: URL?
    var fragments: [URL] = []
    for line in lines.dropFirst() {
      if line.hasPrefix("#EXT-X-STREAM-INF") { throw .isMaster }
      if line.hasPrefix("#EXT-X-MAP:") {
        guard let uri = Playlist.attribute("URI", in: line.dropFirst(11)) else { throw .badURI }
        // A second map would start another file.
        if initSegment == nil { initSegment = try Playlist.resolve(uri, base) }
      } else if !line.hasPrefix("#") {
        guard fragments.count < Playlist.maxSegments else { throw .tooManySegments }
        fragments.append(try Playlist.resolve(String(line), base))
      }
    }
    guard !fragments.isEmpty else { throw .noSegments }
    guard initSegment != nil || !fragments.contains(where: Playlist.isFragmentedMP4) else {
      throw .noInitSegment
    }
    hasInitSegment = initSegment != nil
    segments = (initSegment.map { [$0] } ?? []) + fragments
  }

  private static func resolve(_ uri: String, _ base: URL) throws(Failure) -> URL {
    guard let url = URL(string: uri, relativeTo: base)?.absoluteURL, url.host() != nil,
      let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https"
    else { throw .badURI }
    return url
  }

  private static func isFragmentedMP4(_ url: URL) -> Bool {
    ["m4s", "mp4", "m4a", "m4v"].contains(url.pathExtension.lowercased())
  }

  // Attribute lists: NAME=value or NAME="value", separated by commas outside quotes.
  private static func attribute(_ name: String, in list: Substring) -> String? {
    var rest = list[...]
    while !rest.isEmpty {
      guard let equals = rest.firstIndex(of: "=") else { return nil }
      let key = trimmed(rest[..<equals])
      rest = rest[rest.index(after: equals)...]
      let value: Substring
      if rest.first == "\"" {
        rest = rest.dropFirst()
        guard let quote = rest.firstIndex(of: "\"") else { return nil }
        value = rest[..<quote]
        rest = rest[rest.index(after: quote)...]
      } else {
        value = rest.prefix { $0 != "," }
        rest = rest[value.endIndex...]
      }
      if key == name { return String(value) }
      if rest.first == "," { rest = rest.dropFirst() }
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var result = text.drop(while: \.isWhitespace)
    while let last = result.last, last.isWhitespace { result = result.dropLast() }
    return result
  }
}
