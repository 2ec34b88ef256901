import ReactorTypes

/// The JSON generation: text frames with a scope on `data`, requests and notifications on `control` (wire
/// protocol section 5.2).
package enum JSONWire {
  /// The channel that carries `payload`; nil: this generation has no such message.
  package static func channel(of payload: ClientFrame.Payload) -> ChannelLabel? {
    switch payload {
    case .command, .ping, .requestSchema, .fileUploaded, .requestClip, .requestRecording: .data
    case .publishTrack, .pauseTrack, .resumeTrack, .unpublishTrack: .control
    case .requestStep, .clientStats, .error: nil
    }
  }

  /// The channel that carries `payload`; nil: this generation has no such message.
  package static func channel(of payload: ServerFrame.Payload) -> ChannelLabel? {
    switch payload {
    case .message, .modelSchema, .clipReady, .clipFailed, .moderation, .sessionEnded, .other: .data
    case .publishTrack, .error: .control
    case .stepResult: nil
    }
  }

  // MARK: Client to runtime

  /// The JSON of `frame`; nil: this generation has no such message.
  package static func encode(_ frame: ClientFrame) -> JSONValue? {
    switch frame.payload {
    case .command(let command):
      var content: [String: JSONValue] = ["type": .string(command.type), "data": .object(command.data)]
      if !command.uploads.isEmpty { content["uploads"] = .object(command.uploads.mapValues(\.json)) }
      return ["scope": "application", "data": .object(content)]
    case .ping: return runtimeScope("ping", [:])
    case .requestSchema: return runtimeScope("requestSchema", [:])
    case .fileUploaded(let file): return runtimeScope("fileUploaded", file.json)
    case .requestClip(let seconds): return runtimeScope("requestClip", ["duration_seconds": .number(seconds)])
    case .requestRecording: return runtimeScope("requestRecording", [:])
    case .publishTrack(let name):
      return [
        "type": "request", "method": "publish_track", "request_id": .string(frame.requestID),
        "data": ["name": .string(name)],
      ]
    case .pauseTrack(let name): return notification("pause_track", name)
    case .resumeTrack(let name): return notification("resume_track", name)
    case .unpublishTrack(let name): return notification("unpublish_track", name)
    case .requestStep, .clientStats, .error, nil: return nil
    }
  }

  package static func decodeClient(
    _ json: JSONValue, channel: ChannelLabel
  ) throws(WireMessageError) -> ClientFrame {
    switch channel {
    case .data: try decodeClientData(json)
    case .control: try decodeClientControl(json)
    }
  }

  private static func decodeClientData(_ json: JSONValue) throws(WireMessageError) -> ClientFrame {
    guard let scope = json["scope"]?.stringValue, let content = json["data"],
      let type = content["type"]?.stringValue
    else { throw .notAMessage }
    let data = content["data"] ?? .object([:])
    guard scope == "runtime" else {
      guard scope == "application" else { throw .notAMessage }
      let uploads = (content["uploads"]?.objectValue ?? [:]).compactMapValues(FileRef.init(json:))
      return ClientFrame(
        kind: .request, payload: .command(Command(type, data.objectValue ?? [:], uploads: uploads)))
    }
    switch type {
    case "ping": return .notification(.ping)
    case "requestSchema": return ClientFrame(kind: .request, payload: .requestSchema)
    case "requestClip":
      return ClientFrame(
        kind: .request, payload: .requestClip(seconds: data["duration_seconds"]?.doubleValue ?? 0))
    case "requestRecording": return ClientFrame(kind: .request, payload: .requestRecording)
    case "fileUploaded":
      guard let file = FileRef(json: data) else { throw .notAMessage }
      return .notification(.fileUploaded(file))
    default: return ClientFrame(kind: .unspecified, payload: nil)
    }
  }

  private static func decodeClientControl(_ json: JSONValue) throws(WireMessageError) -> ClientFrame {
    let name = json["data"]?["name"]?.stringValue ?? ""
    switch (json["type"]?.stringValue, json["event"]?.stringValue, json["method"]?.stringValue) {
    case ("notification", "pause_track", _): return .notification(.pauseTrack(name))
    case ("notification", "resume_track", _): return .notification(.resumeTrack(name))
    case ("notification", "unpublish_track", _): return .notification(.unpublishTrack(name))
    case ("request", _, let method):
      return ClientFrame(
        requestID: json["request_id"]?.stringValue ?? "", kind: .request,
        payload: method == "publish_track" ? .publishTrack(name) : nil)
    case ("notification", _, _): return .notification(nil)
    default: throw .notAMessage
    }
  }

  // MARK: Runtime to client

  /// The JSON of `frame`; nil: this generation has no such message.
  package static func encode(_ frame: ServerFrame) -> JSONValue? {
    switch frame.payload {
    case .message(let message):
      return [
        "scope": "application",
        "data": ["type": .string(message.type), "data": message.data ?? .object([:])],
      ]
    case .modelSchema(let document): return runtimeScope("modelSchema", document)
    case .clipReady(let clip): return runtimeScope("clipReady", clip.json)
    case .clipFailed(let reason): return runtimeScope("clipFailed", ["reason": .string(reason)])
    case .moderation(let moderation): return runtimeScope("moderation", moderation.json)
    case .sessionEnded(let reason): return runtimeScope("sessionEnded", ["reason": .string(reason)])
    case .other(let type, let data): return runtimeScope(type, data)
    case .publishTrack:
      return [
        "type": "response", "method": "publish_track", "request_id": .string(frame.requestID), "data": [:],
      ]
    case .error(let error):
      return [
        "type": "response", "method": "publish_track", "request_id": .string(frame.requestID),
        "error": ["code": .string(error.code), "message": .string(error.message)],
      ]
    case .stepResult, nil: return nil
    }
  }

  package static func decodeServer(
    _ json: JSONValue, channel: ChannelLabel
  ) throws(WireMessageError) -> ServerFrame {
    switch channel {
    case .data: decodeServerData(json)
    case .control: try decodeServerControl(json)
    }
  }

  private static func decodeServerData(_ json: JSONValue) -> ServerFrame {
    guard let scope = json["scope"]?.stringValue, let content = json["data"] else {
      // Without the envelope: handed up as the model's message, as official clients do.
      return .notification(
        .message(ModelMessage(json["type"]?.stringValue ?? "", json["data"] ?? json)))
    }
    let type = content["type"]?.stringValue ?? ""
    guard scope == "runtime" else {
      return .notification(.message(ModelMessage(type, content["data"])))
    }
    let data = content["data"] ?? .object([:])
    let reason = data["reason"]?.stringValue ?? ""
    switch type {
    case "modelSchema": return ServerFrame(kind: .response, payload: .modelSchema(content["data"] ?? .null))
    case "clipReady": return ServerFrame(kind: .response, payload: .clipReady(ClipReady(json: data)))
    case "clipFailed": return ServerFrame(kind: .response, payload: .clipFailed(reason: reason))
    case "moderation": return .notification(.moderation(Moderation(json: data)))
    case "sessionEnded": return .notification(.sessionEnded(reason: reason))
    default: return .notification(.other(type: type, data: data))
    }
  }

  private static func decodeServerControl(_ json: JSONValue) throws(WireMessageError) -> ServerFrame {
    guard json["type"]?.stringValue == "response" else { throw .notAMessage }
    let requestID = json["request_id"]?.stringValue ?? ""
    if let error = json["error"], error != .null {
      return .response(
        to: requestID,
        .error(
          RemoteError(
            code: error["code"]?.stringValue ?? "", message: error["message"]?.stringValue ?? "")))
    }
    guard json["method"]?.stringValue == "publish_track" else { return .response(to: requestID, nil) }
    return .response(to: requestID, .publishTrack(json["data"]?["name"]?.stringValue ?? ""))
  }

  private static func runtimeScope(_ type: String, _ data: JSONValue) -> JSONValue {
    ["scope": "runtime", "data": ["type": .string(type), "data": data]]
  }

  private static func notification(_ event: String, _ name: String) -> JSONValue {
    ["type": "notification", "event": .string(event), "data": ["name": .string(name)]]
  }
}

extension ClientFrame {
  fileprivate static func notification(_ payload: Payload?) -> ClientFrame {
    ClientFrame(kind: .notification, payload: payload)
  }
}
