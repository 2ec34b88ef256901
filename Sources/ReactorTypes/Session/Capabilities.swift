/// What a session's model takes and gives, as it declares it.
public struct Capabilities: Sendable, Hashable {
  /// A track that the model declares.
  public struct TrackCapability: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Video or audio.
    public let kind: TrackKind
    /// Seen from this client.
    public let direction: TrackDirection

    package init(name: String, kind: TrackKind, direction: TrackDirection) {
      self.name = name
      self.kind = kind
      self.direction = direction
    }
  }

  /// A command that the model declares.
  public struct CommandCapability: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// What it does.
    public let description: String?
    /// JSON schema of its arguments.
    public let schema: JSONValue?

    package init(name: String, description: String?, schema: JSONValue?) {
      self.name = name
      self.description = description
      self.schema = schema
    }
  }

  /// The platform's protocol version, as it says it.
  public let protocolVersion: String
  /// Tracks in the order of their declaration. One of an unknown kind or direction is left out.
  public let tracks: [TrackCapability]
  /// Commands; the runtimes of today leave the list empty and publish a schema instead.
  public let commands: [CommandCapability]
  /// Frames a second that the model aims at.
  public let emissionFPS: Double?
  /// What else the server said.
  public let extraFields: [String: JSONValue]

  package init(
    protocolVersion: String, tracks: [TrackCapability], commands: [CommandCapability] = [],
    emissionFPS: Double? = nil, extraFields: [String: JSONValue] = [:]
  ) {
    self.protocolVersion = protocolVersion
    self.tracks = tracks
    self.commands = commands
    self.emissionFPS = emissionFPS
    self.extraFields = extraFields
  }

  /// Reads the wire's object. nil when it is no object; names of tracks left out go to `skippedTracks`.
  package init?(json: JSONValue, skippedTracks: inout [String]) {
    guard var rest = json.objectValue else { return nil }
    var tracks: [TrackCapability] = []
    for entry in rest.removeValue(forKey: "tracks")?.arrayValue ?? [] {
      guard let name = entry["name"]?.stringValue, !name.isEmpty else { continue }
      if let kind = entry["kind"]?.stringValue.flatMap(TrackKind.init(rawValue:)),
        let direction = entry["direction"]?.stringValue.flatMap(TrackDirection.init(rawValue:))
      {
        tracks.append(TrackCapability(name: name, kind: kind, direction: direction))
      } else {
        skippedTracks.append(name)
      }
    }
    let commands = (rest.removeValue(forKey: "commands")?.arrayValue ?? []).compactMap { entry in
      entry["name"]?.stringValue.map { name in
        CommandCapability(
          name: name, description: entry["description"]?.stringValue, schema: entry["schema"])
      }
    }
    self.init(
      protocolVersion: rest.removeValue(forKey: "protocol_version")?.stringValue ?? "", tracks: tracks,
      commands: commands, emissionFPS: rest.removeValue(forKey: "emission_fps")?.doubleValue,
      extraFields: rest)
  }

  /// The wire's object, with the fields that this version does not know.
  package var json: JSONValue {
    var members = extraFields
    members["protocol_version"] = .string(protocolVersion)
    members["tracks"] = .array(
      tracks.map {
        [
          "name": .string($0.name), "kind": .string($0.kind.rawValue),
          "direction": .string($0.direction.rawValue),
        ]
      })
    members["commands"] = .array(
      commands.map { command in
        var entry: [String: JSONValue] = ["name": .string(command.name)]
        if let description = command.description { entry["description"] = .string(description) }
        if let schema = command.schema { entry["schema"] = schema }
        return .object(entry)
      })
    if let emissionFPS { members["emission_fps"] = .number(emissionFPS) }
    return .object(members)
  }

  /// Compares the documented fields.
  public static func == (left: Capabilities, right: Capabilities) -> Bool {
    left.protocolVersion == right.protocolVersion && left.tracks == right.tracks
      && left.commands == right.commands && left.emissionFPS == right.emissionFPS
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(protocolVersion)
    hasher.combine(tracks)
    hasher.combine(commands)
    hasher.combine(emissionFPS)
  }
}
