/// The runtime's side of the choice: the client's first frame, on whichever channel, decides for the connection
/// (wire protocol section 0.3).
package struct GenerationLatch: Sendable {
  /// nil: nothing was heard yet; what is sent meanwhile goes as ``WireGeneration/v0``.
  package private(set) var latched: WireGeneration?

  package init() {}

  /// What to speak now.
  package var current: WireGeneration { latched ?? .v0 }

  /// Takes note of a frame from the client.
  ///
  /// - Returns: the generation to read it in, or nil for a frame of the other kind, which is dropped.
  package mutating func hear(_ message: WireMessage) -> WireGeneration? {
    guard let latched else {
      let generation: WireGeneration =
        message.isText || WireCodec.looksLikeJSON(message.bytes) ? .v0 : .v1
      self.latched = generation
      return generation
    }
    switch latched {
    case .v1: return message.isText ? nil : .v1
    case .v0: return message.isText || WireCodec.looksLikeJSON(message.bytes) ? .v0 : nil
    }
  }
}
