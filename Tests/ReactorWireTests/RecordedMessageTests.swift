import Foundation
import ReactorTypes
import ReactorWire
import TestRecordings
import Testing

@Suite struct RecordedMessageTests {
  @Test(arguments: RecordedMessage.binaryFiles)
  func `every recorded protobuf message reads, and writes back to as many bytes`(file: String) throws {
    let messages = RecordedMessage.load(file)
    #expect(messages.count >= 3)
    for recorded in messages where !recorded.message.isText {
      let (bytes, channel) = (recorded.message.bytes, recorded.message.channel)
      let rewritten: [UInt8]
      if recorded.fromClient {
        let frame = try ProtobufWire.decodeClient(bytes, channel: channel)
        rewritten = ProtobufWire.encode(frame)
        #expect(try ProtobufWire.decodeClient(rewritten, channel: channel) == frame, "\(recorded.place)")
      } else {
        let frame = try ProtobufWire.decodeServer(bytes, channel: channel)
        rewritten = ProtobufWire.encode(frame)
        #expect(try ProtobufWire.decodeServer(rewritten, channel: channel) == frame, "\(recorded.place)")
      }
      // Map order is the sender's choice; the length is not.
      #expect(rewritten.count == bytes.count, "\(recorded.place)")
      #expect(rewritten.sorted() == bytes.sorted(), "\(recorded.place)")
    }
  }

  @Test(arguments: RecordedMessage.binaryFiles)
  func `recorded messages mean what the recorder understood`(file: String) throws {
    for recorded in RecordedMessage.load(file) where !recorded.message.isText {
      guard let expected = recorded.decoded else { continue }
      let (bytes, channel) = (recorded.message.bytes, recorded.message.channel)
      let seen: JSONValue =
        recorded.fromClient
        ? ProtoJSON.describe(try ProtobufWire.decodeClient(bytes, channel: channel))
        : ProtoJSON.describe(try ProtobufWire.decodeServer(bytes, channel: channel))
      guard expected["client_stats"] == nil, expected["step_result"] == nil, expected["request_step"] == nil
      else {
        continue
      }
      #expect(seen == expected, "\(recorded.place)")
    }
  }

  @Test(arguments: RecordedMessage.textFiles)
  func `every recorded JSON message reads, and writes back to the same JSON`(file: String) throws {
    let messages = RecordedMessage.load(file)
    #expect(messages.count > 20)
    for recorded in messages where recorded.message.isText {
      let json = try JSONValue(parsing: recorded.message.bytes)
      let channel = recorded.message.channel
      let rewritten: JSONValue?
      if recorded.fromClient {
        let frame = try WireCodec.decodeClient(recorded.message, as: .v0)
        #expect(frame.payload != nil, "\(recorded.place)")
        rewritten = JSONWire.encode(frame)
        #expect(WireCodec.encode(frame, as: .v0)?.channel == channel)
      } else {
        let frame = try WireCodec.decodeServer(recorded.message)
        #expect(frame.payload != nil, "\(recorded.place)")
        rewritten = JSONWire.encode(frame)
        #expect(WireCodec.encode(frame, as: .v0, answering: channel)?.channel == channel)
      }
      #expect(rewritten == json, "\(recorded.place)")
    }
  }

  @Test func `what an early runtime says as JSON text is understood by a protobuf client`() throws {
    let first = try #require(RecordedMessage.load("runtime-3.10/VP8/00.datachannel.jsonl").first)
    #expect(first.message.isText && !first.fromClient)
    let frame = try WireCodec.decodeServer(first.message)
    guard case .message(let message) = frame.payload else {
      Issue.record("not a message")
      return
    }
    #expect(message.type == "welcome" && message.data?["width"]?.intValue == 640)
  }

  @Test func `the messages that the protocol names are all among the recordings`() throws {
    var seen: Set<String> = []
    for file in RecordedMessage.binaryFiles {
      for recorded in RecordedMessage.load(file) where !recorded.message.isText {
        let (bytes, channel) = (recorded.message.bytes, recorded.message.channel)
        let frame =
          recorded.fromClient
          ? ProtoJSON.describe(try ProtobufWire.decodeClient(bytes, channel: channel))
          : ProtoJSON.describe(try ProtobufWire.decodeServer(bytes, channel: channel))
        seen.formUnion(frame.objectValue?.keys.map { "\(recorded.fromClient ? "c" : "s").\($0)" } ?? [])
      }
    }
    for name in [
      "c.command", "c.ping", "c.request_schema", "c.file_uploaded", "c.request_clip", "c.request_recording",
      "c.publish_track", "c.pause_track", "c.resume_track", "c.client_stats",
      "s.message", "s.error",
      "s.model_schema", "s.clip_ready", "s.publish_track", "s.session_ended",
    ] {
      #expect(seen.contains(name), "\(name)")
    }
  }
}

/// Frames in protobuf's JSON mapping, which the recordings use: zero values left out, 64-bit numbers as text.
enum ProtoJSON {
  static func describe(_ frame: ClientFrame) -> JSONValue {
    var body: (String, JSONValue)?
    switch frame.payload {
    case .command(let command):
      var members: [String: JSONValue] = ["type": .string(command.type), "data": .object(command.data)]
      if !command.uploads.isEmpty { members["uploads"] = .object(command.uploads.mapValues(file)) }
      body = ("command", .object(members))
    case .requestStep: body = ("request_step", [:])
    case .ping: body = ("ping", [:])
    case .requestSchema: body = ("request_schema", [:])
    case .fileUploaded(let reference): body = ("file_uploaded", file(reference))
    case .requestClip(let seconds): body = ("request_clip", ["duration_seconds": .number(seconds)])
    case .requestRecording: body = ("request_recording", [:])
    case .publishTrack(let name): body = ("publish_track", named(name))
    case .pauseTrack(let name): body = ("pause_track", named(name))
    case .resumeTrack(let name): body = ("resume_track", named(name))
    case .unpublishTrack(let name): body = ("unpublish_track", named(name))
    case .clientStats: body = ("client_stats", [:])
    case .error(let remote): body = ("error", error(remote))
    case nil: break
    }
    return envelope(frame.requestID, frame.kind, body)
  }

  static func describe(_ frame: ServerFrame) -> JSONValue {
    var body: (String, JSONValue)?
    switch frame.payload {
    case .message(let message):
      var members: [String: JSONValue] = ["type": .string(message.type)]
      if let data = message.data { members["data"] = data }
      body = ("message", .object(members))
    case .stepResult: body = ("step_result", [:])
    case .modelSchema(let document): body = ("model_schema", ["openapi": document])
    case .clipReady(let clip):
      var members = clip.json.objectValue ?? [:]
      members["predicted_ready_at_ms"] = .string("\(clip.predictedReadyAtMS)")
      body = ("clip_ready", .object(members.filter { $0.value != 0 && $0.value != "" }))
    case .clipFailed(let reason): body = ("clip_failed", ["reason": .string(reason)])
    case .moderation(let moderation): body = ("moderation", moderation.json)
    case .publishTrack(let name): body = ("publish_track", named(name))
    case .sessionEnded(let reason): body = ("session_ended", ["reason": .string(reason)])
    case .error(let remote): body = ("error", error(remote))
    case .other(let type, let data): body = (type, data)
    case nil: break
    }
    return envelope(frame.requestID, frame.kind, body)
  }

  private static func envelope(_ id: String, _ kind: MessageKind, _ body: (String, JSONValue)?) -> JSONValue {
    var members: [String: JSONValue] = [:]
    if !id.isEmpty { members["request_id"] = .string(id) }
    switch kind {
    case .unspecified: break
    case .request: members["kind"] = "MESSAGE_KIND_REQUEST"
    case .response: members["kind"] = "MESSAGE_KIND_RESPONSE"
    case .notification: members["kind"] = "MESSAGE_KIND_NOTIFICATION"
    }
    if let body { members[body.0] = body.1 }
    return .object(members)
  }

  private static func named(_ name: String) -> JSONValue { name.isEmpty ? [:] : ["name": .string(name)] }

  private static func error(_ error: RemoteError) -> JSONValue {
    ["code": .string(error.code), "message": .string(error.message)]
  }

  private static func file(_ file: FileRef) -> JSONValue {
    var members = file.json.objectValue ?? [:]
    members["size"] = .string("\(file.size)")
    return .object(members)
  }
}
