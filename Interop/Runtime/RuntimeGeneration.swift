import Reactor

/// Which runtime is driven. They serve the same kind of model; what differs for a client is said here.
enum RuntimeGeneration: String {
  /// reactor-runtime 3.10: libwebrtc, protobuf messages.
  case current = "3.10"
  /// reactor-runtime 2.10: GStreamer, JSON messages, no frame metadata, no chunking, no replies to commands.
  case legacy = "2.10"

  /// Whether frames carry tags and capture times.
  var tagsFrames: Bool { self == .current }

  /// The mean error of a flat colour, of 255 a channel, that both conversions of both sides may make together.
  /// GStreamer's converters, in the older runtime, have one of their own.
  var colourError: Double {
    switch self {
    case .current: 2
    case .legacy: 4
    }
  }

  /// The code with which a second publisher of a track is refused.
  var publishRefusal: String {
    switch self {
    case .current: "publish_refused"
    case .legacy: "PUBLISHER_SLOT_TAKEN"
    }
  }

  /// Sends a command and returns what the model says to it: its reply, or where there are none its next message
  /// of the type `answer`.
  func ask(
    _ reactor: Reactor, _ observer: Observer, _ command: String, _ arguments: JSONValue = [:],
    uploads: [String: FileRef] = [:], answer: String
  ) async throws -> JSONValue {
    let before = observer.messageCount
    let reply = try await reactor.sendCommand(command, arguments, uploads: uploads)
    switch self {
    case .current:
      try expect(reply?.type == answer, "\(String(describing: reply))")
      return reply?.data ?? .null
    case .legacy:
      try expect(reply == nil, "\(String(describing: reply))")
      let found = await eventually(.seconds(5)) { observer.message(answer, after: before) != nil }
      try expect(found, "'\(command)' brought no '\(answer)', but \(observer.messages(after: before))")
      return observer.message(answer, after: before) ?? .null
    }
  }
}
