import ReactorTypes

/// What a new session should be.
package struct SessionRequest: Hashable, Sendable {
  package var model: String
  package var generation: GenerationMode
  package var extraArguments: JSONValue?

  package init(model: String, generation: GenerationMode = .streamed, extraArguments: JSONValue? = nil) {
    self.model = model
    self.generation = generation
    self.extraArguments = extraArguments
  }

  /// `POST /sessions`.
  var hostedBody: [String: JSONValue] {
    var body: [String: JSONValue] = [
      "model": ["name": .string(model)], "client_info": ClientInfo.json,
      "supported_transports": [["protocol": "webrtc", "version": "1.0"]],
    ]
    var configs = extraArguments?.objectValue ?? [:]
    if generation == .stepped { configs["generation"] = "stepped" }
    if !configs.isEmpty { body["extra_configs"] = .object(configs) }
    return body
  }

  /// `POST /start_session`: the runtime serves one model, and takes its keys at the top.
  var localBody: [String: JSONValue] {
    var body = extraArguments?.objectValue ?? [:]
    if generation == .stepped { body["generation"] = "stepped" }
    return body
  }
}

/// Who asks.
package enum ClientInfo {
  package static var json: JSONValue {
    ["sdk_version": .string(ReactorSDK.version), "sdk_type": .string(ReactorDefaults.sdkType)]
  }
}
