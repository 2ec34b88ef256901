import ReactorTypes
import WireFormat

/// The binary generation: the four envelopes of `reactor_wire.v1` (wire protocol section 5.4).
package enum ProtobufWire {
  /// The channel that carries `payload`.
  package static func channel(of payload: ClientFrame.Payload) -> ChannelLabel {
    switch payload {
    case .command, .requestStep: .data
    default: .control
    }
  }

  /// The channel that carries `payload`; an error goes where its request came from.
  package static func channel(of payload: ServerFrame.Payload) -> ChannelLabel {
    switch payload {
    case .message, .stepResult: .data
    default: .control
    }
  }

  // MARK: Client to runtime

  package static func encode(_ frame: ClientFrame) -> [UInt8] {
    var writer = ProtobufWriter()
    writer.stringUnlessEmpty(1, frame.requestID)
    writer.varintUnlessZero(2, frame.kind.rawValue)
    switch frame.payload {
    case .command(let command): writer.message(10) { command.write(to: &$0) }
    case .requestStep(let step): writer.message(11) { step.write(to: &$0) }
    case .ping: writer.message(10) { _ in }
    case .requestSchema: writer.message(11) { _ in }
    case .fileUploaded(let file): writer.message(12) { file.write(to: &$0) }
    case .requestClip(let seconds): writer.message(13) { $0.doubleUnlessZero(1, seconds) }
    case .requestRecording: writer.message(14) { _ in }
    case .publishTrack(let name): writer.message(15) { $0.stringUnlessEmpty(1, name) }
    case .pauseTrack(let name): writer.message(16) { $0.stringUnlessEmpty(1, name) }
    case .resumeTrack(let name): writer.message(17) { $0.stringUnlessEmpty(1, name) }
    case .unpublishTrack(let name): writer.message(18) { $0.stringUnlessEmpty(1, name) }
    case .clientStats(let stats): writer.message(19) { stats.write(to: &$0) }
    case .error(let error): writer.message(40) { error.write(to: &$0) }
    case nil: break
    }
    return writer.bytes
  }

  package static func decodeClient(
    _ bytes: [UInt8], channel: ChannelLabel
  ) throws(WireMessageError) -> ClientFrame {
    var frame = ClientFrame(kind: .unspecified, payload: nil)
    var budget = StructCoding.Budget()
    var reader = ProtobufReader(bytes.rawSpan)
    while let tag = try reader.next() {
      switch (channel, tag.field, tag.type) {
      case (_, 1, .bytes): frame.requestID = try reader.string()
      case (_, 2, .varint): frame.kind = MessageKind(wire: try reader.varint())
      case (.data, 10, .bytes): frame.payload = .command(try Command(reader.bytes(), budget: &budget))
      case (.data, 11, .bytes): frame.payload = .requestStep(try StepRequest(reader.bytes(), budget: &budget))
      case (.control, 10, .bytes):
        _ = try reader.bytes()
        frame.payload = .ping
      case (.control, 11, .bytes):
        _ = try reader.bytes()
        frame.payload = .requestSchema
      case (.control, 12, .bytes): frame.payload = .fileUploaded(try FileRef(wire: reader.bytes()))
      case (.control, 13, .bytes): frame.payload = .requestClip(seconds: try double1(reader.bytes()))
      case (.control, 14, .bytes):
        _ = try reader.bytes()
        frame.payload = .requestRecording
      case (.control, 15, .bytes): frame.payload = .publishTrack(try string1(reader.bytes()))
      case (.control, 16, .bytes): frame.payload = .pauseTrack(try string1(reader.bytes()))
      case (.control, 17, .bytes): frame.payload = .resumeTrack(try string1(reader.bytes()))
      case (.control, 18, .bytes): frame.payload = .unpublishTrack(try string1(reader.bytes()))
      case (.control, 19, .bytes): frame.payload = .clientStats(try ClientStats(wire: reader.bytes()))
      case (_, 40, .bytes): frame.payload = .error(try RemoteError(wire: reader.bytes()))
      default: try reader.skip(tag)
      }
    }
    return frame
  }

  // MARK: Runtime to client

  package static func encode(_ frame: ServerFrame) -> [UInt8] {
    var writer = ProtobufWriter()
    writer.stringUnlessEmpty(1, frame.requestID)
    writer.varintUnlessZero(2, frame.kind.rawValue)
    switch frame.payload {
    case .message(let message): writer.message(10) { message.write(to: &$0) }
    case .stepResult(let outcome): writer.message(11) { outcome.write(to: &$0) }
    case .modelSchema(let document):
      writer.message(10) { schema in
        schema.message(1) { StructCoding.write(document.objectValue ?? [:], to: &$0) }
      }
    case .clipReady(let clip): writer.message(11) { clip.write(to: &$0) }
    case .clipFailed(let reason): writer.message(12) { $0.stringUnlessEmpty(1, reason) }
    case .moderation(let moderation): writer.message(13) { moderation.write(to: &$0) }
    case .publishTrack(let name): writer.message(14) { $0.stringUnlessEmpty(1, name) }
    case .sessionEnded(let reason): writer.message(15) { $0.stringUnlessEmpty(1, reason) }
    case .error(let error): writer.message(40) { error.write(to: &$0) }
    // The binary generation has no such message; an empty envelope says nothing.
    case .other, nil: break
    }
    return writer.bytes
  }

  package static func decodeServer(
    _ bytes: [UInt8], channel: ChannelLabel
  ) throws(WireMessageError) -> ServerFrame {
    var frame = ServerFrame(kind: .unspecified, payload: nil)
    var budget = StructCoding.Budget()
    var reader = ProtobufReader(bytes.rawSpan)
    while let tag = try reader.next() {
      switch (channel, tag.field, tag.type) {
      case (_, 1, .bytes): frame.requestID = try reader.string()
      case (_, 2, .varint): frame.kind = MessageKind(wire: try reader.varint())
      case (.data, 10, .bytes): frame.payload = .message(try ModelMessage(reader.bytes(), budget: &budget))
      case (.data, 11, .bytes): frame.payload = .stepResult(try StepOutcome(wire: reader.bytes()))
      case (.control, 10, .bytes):
        frame.payload = .modelSchema(try schema(reader.bytes(), budget: &budget))
      case (.control, 11, .bytes): frame.payload = .clipReady(try ClipReady(wire: reader.bytes()))
      case (.control, 12, .bytes): frame.payload = .clipFailed(reason: try string1(reader.bytes()))
      case (.control, 13, .bytes): frame.payload = .moderation(try Moderation(wire: reader.bytes()))
      case (.control, 14, .bytes): frame.payload = .publishTrack(try string1(reader.bytes()))
      case (.control, 15, .bytes): frame.payload = .sessionEnded(reason: try string1(reader.bytes()))
      case (_, 40, .bytes): frame.payload = .error(try RemoteError(wire: reader.bytes()))
      default: try reader.skip(tag)
      }
    }
    return frame
  }

  // An absent document is null, so that the caller can tell it from an empty one.
  private static func schema(
    _ span: RawSpan, budget: inout StructCoding.Budget
  ) throws(WireMessageError) -> JSONValue {
    var document = JSONValue.null
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      if tag.field == 1, tag.type == .bytes {
        document = .object(try StructCoding.members(reader.bytes(), budget: &budget))
      } else {
        try reader.skip(tag)
      }
    }
    return document
  }

  private static func string1(_ span: RawSpan) throws(WireMessageError) -> String {
    var text = ""
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      if tag.field == 1, tag.type == .bytes { text = try reader.string() } else { try reader.skip(tag) }
    }
    return text
  }

  private static func double1(_ span: RawSpan) throws(WireMessageError) -> Double {
    var value = 0.0
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      if tag.field == 1, tag.type == .fixed64 { value = try reader.double() } else { try reader.skip(tag) }
    }
    return value
  }
}
