import PeerConnection
import RTP
import ReactorTypes
import SCTP

extension JSONValue {
  /// The text of a member that must be there.
  func text(_ key: String) throws -> String {
    guard let text = self[key]?.stringValue else { throw CallError("\(key) is missing or no text") }
    return text
  }

  func connectionConfiguration() throws -> LiveConnectionConfiguration {
    var configuration = LiveConnectionConfiguration()
    if let codecs = self["codecs"]?.arrayValue {
      configuration.connection.videoCodecs = try codecs.map { codec in
        switch codec.stringValue {
        case "vp8": .vp8
        case "vp9": .vp9
        default: throw CallError("codecs are vp8 and vp9")
        }
      }
    }
    switch self["chunking"] {
    case .bool(false)?: configuration.connection.chunkingMaxMessageSize = nil
    case .number(let size)?: configuration.connection.chunkingMaxMessageSize = UInt64(exactly: size)
    default: break
    }
    if let size = self["messages"]?.intValue {
      configuration.connection.maxMessageSize = UInt64(clamping: size)
    }
    configuration.connection.frameMetadata = self["metadata"]?.boolValue ?? true
    configuration.connection.offersSCTPInit = self["sctpInit"]?.boolValue ?? true
    configuration.driver.includesLoopback = self["loopback"]?.boolValue ?? true
    if let ports = self["ports"]?.arrayValue?.compactMap({ $0.intValue.flatMap(UInt16.init(exactly:)) }) {
      guard ports.count == 2, ports[0] <= ports[1] else { throw CallError("ports are [first, last]") }
      configuration.driver.portRange = ports[0]...ports[1]
    }
    if let limit = self["addresses"]?.intValue { configuration.driver.addressLimit = limit }
    if let cores = self["cores"]?.intValue {
      configuration.cores = cores
      configuration.video.cores = cores
    }
    return configuration
  }

  func track(named name: String? = nil) throws -> LiveTrack {
    let kind = try text("kind")
    guard kind == "video" || kind == "audio" else { throw CallError("a track is video or audio") }
    return LiveTrack(
      name: try name ?? text("name"), kind: kind == "video" ? .video : .audio,
      isSending: self["send"]?.boolValue ?? false)
  }

  func channel() throws -> LiveChannel {
    var options = DataChannelOptions()
    options.isOrdered = self["ordered"]?.boolValue ?? true
    if let count = self["retransmits"]?.intValue {
      options.reliability = .maxRetransmits(UInt32(clamping: count))
    } else if let lifetime = self["lifetime"]?.intValue {
      options.reliability = .maxPacketLifetime(milliseconds: UInt32(clamping: lifetime))
    }
    options.protocol = self["protocol"]?.stringValue ?? ""
    options.negotiatedID = self["stream"]?.intValue.flatMap { UInt16(exactly: $0) }
    return LiveChannel(try text("label"), options: options)
  }
}
