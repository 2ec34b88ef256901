/// `a=x-reactor-dc-chunking`: this side cuts data-channel messages into fragments.
package struct DataChannelChunking: Hashable, Sendable {
  /// The one version that there is.
  package static let supportedVersion = "1"
  /// What counts when the line names no size.
  package static let defaultMaxMessageSize: UInt64 = 262_144

  package var version: String
  /// The largest reassembled message, in bytes, that the writer of the line takes.
  package var maxMessageSize: UInt64

  package init(
    version: String = DataChannelChunking.supportedVersion,
    maxMessageSize: UInt64 = DataChannelChunking.defaultMaxMessageSize
  ) {
    self.version = version
    self.maxMessageSize = maxMessageSize
  }

  package var isSupported: Bool { version == DataChannelChunking.supportedVersion }

  /// `1 max-message-size=67108864`; other parameters are disregarded, a size that is no number is not.
  init?(parsing value: Substring) {
    let tokens = value.tokens
    guard let version = tokens.first else { return nil }
    self.init(version: String(version))
    for token in tokens.dropFirst() {
      guard let (name, size) = token.halves(at: UInt8(ascii: "=")), name == "max-message-size" else {
        continue
      }
      guard let bytes = UInt64(decimal: size), bytes > 0 else { return nil }
      maxMessageSize = bytes
    }
  }

  var value: String { "\(version) max-message-size=\(maxMessageSize)" }
}
