/// The platform's session-level extensions, and what goes with them.
package struct SessionFeatures: Hashable, Sendable {
  /// Frame metadata trailers (`a=x-reactor-frame-metadata:1`).
  package var frameMetadata: Bool
  /// The largest reassembled data-channel message that this side takes; nil: no `a=x-reactor-dc-chunking`.
  package var chunkingMaxMessageSize: UInt64?
  /// One- and two-byte header extensions may alternate (RFC 8285 section 6).
  package var extmapAllowMixed: Bool

  package init(
    frameMetadata: Bool = false, chunkingMaxMessageSize: UInt64? = nil, extmapAllowMixed: Bool = true
  ) {
    self.frameMetadata = frameMetadata
    self.chunkingMaxMessageSize = chunkingMaxMessageSize
    self.extmapAllowMixed = extmapAllowMixed
  }

  var lines: [SDPLine] {
    var lines: [SDPLine] = []
    if extmapAllowMixed { lines.append(.attribute(SDPAttribute("extmap-allow-mixed"))) }
    if frameMetadata { lines.append(.attribute(SDPAttribute("x-reactor-frame-metadata", "1"))) }
    if let size = chunkingMaxMessageSize, size > 0 {
      lines.append(
        .attribute(SDPAttribute("x-reactor-dc-chunking", DataChannelChunking(maxMessageSize: size).value)))
    }
    return lines
  }

  /// What `offer` also has.
  func mirrored(from offer: SessionDescription) -> SessionFeatures {
    SessionFeatures(
      frameMetadata: frameMetadata && offer.declaresFrameMetadata,
      chunkingMaxMessageSize: offer.dataChannelChunking == nil ? nil : chunkingMaxMessageSize,
      extmapAllowMixed: extmapAllowMixed && offer.isExtmapAllowMixed)
  }
}
