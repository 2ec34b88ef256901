/// The platform's own session-level SDP attributes, as one description declares them.
package struct PlatformExtensions: Hashable, Sendable {
  /// `a=x-reactor-dc-chunking:1`: the largest message after reassembly. nil: not declared, or another version.
  package var chunkingMaxMessageSize: Int?
  /// `a=x-reactor-frame-metadata:1`.
  package var hasFrameMetadata: Bool

  /// Both sides advertise 64 MiB.
  package static let offeredMaxMessageSize = 67_108_864
  /// A declaration without a size means this much.
  package static let defaultMaxMessageSize = 262_144

  package init(chunkingMaxMessageSize: Int? = nil, hasFrameMetadata: Bool = false) {
    self.chunkingMaxMessageSize = chunkingMaxMessageSize
    self.hasFrameMetadata = hasFrameMetadata
  }

  /// Reads the lines before the first media section of `sdp`.
  package init(sdp: String) {
    self.init()
    for line in sdp.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      if line.starts(with: "m=".utf8) { break }
      guard line.starts(with: "a=x-reactor-".utf8) else { continue }
      let text = String(decoding: line.dropFirst(12), as: UTF8.self)
      guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = text[..<colon]
      let words = text[text.utf8.index(after: colon)...].split(separator: " ")
      guard words.first == "1" else { continue }
      if name == "frame-metadata" {
        hasFrameMetadata = true
      } else if name == "dc-chunking" {
        chunkingMaxMessageSize = PlatformExtensions.size(words.dropFirst())
      }
    }
  }

  // A size that is not a positive number makes the declaration void; a runtime does not mirror it either.
  private static func size(_ parameters: ArraySlice<Substring>) -> Int? {
    let key = "max-message-size="
    for parameter in parameters where parameter.hasPrefix(key) {
      guard let value = Int(parameter.dropFirst(key.count)), value > 0 else { return nil }
      return value
    }
    return defaultMaxMessageSize
  }

  /// The lines to put into an offer or answer, without line ends.
  package var attributeLines: [String] {
    var lines: [String] = []
    if hasFrameMetadata { lines.append("a=x-reactor-frame-metadata:1") }
    if let chunkingMaxMessageSize {
      lines.append("a=x-reactor-dc-chunking:1 max-message-size=\(chunkingMaxMessageSize)")
    }
    return lines
  }

  /// What both sides declare. The size is the other side's, as it limits what we send.
  package func agreed(with remote: PlatformExtensions) -> PlatformExtensions {
    PlatformExtensions(
      chunkingMaxMessageSize: chunkingMaxMessageSize == nil ? nil : remote.chunkingMaxMessageSize,
      hasFrameMetadata: hasFrameMetadata && remote.hasFrameMetadata)
  }

  /// Which generation to speak after an offer that declared both: a runtime that mirrors either understands
  /// protobuf; one that mirrors neither is old and understands JSON only (wire protocol section 0.3).
  package var generation: WireGeneration {
    chunkingMaxMessageSize != nil || hasFrameMetadata ? .v1 : .v0
  }
}
