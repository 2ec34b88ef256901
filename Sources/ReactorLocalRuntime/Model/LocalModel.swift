import ReactorTypes

/// A model that an in-process runtime serves: what a test suite or a demo puts in the place of a GPU.
public protocol LocalModel: Sendable {
  /// `owner/name`, as the session says it.
  var name: String { get }
  /// What it sends and takes, in the order of declaration.
  var tracks: [LocalModelTrack] { get }
  /// What clients may call.
  var commands: [LocalModelCommand] { get }

  /// Generates: called once when a session starts, in a task that is cancelled when it ends. The end of the session
  /// waits until this returns.
  func run(_ session: LocalSession) async throws

  /// Handles a command whose arguments fit its declaration: one at a time a client, several clients at once.
  ///
  /// - Parameters:
  ///   - call: the command, its arguments, and the bytes of the files that they name.
  ///   - session: the session it belongs to, to emit and to send on.
  /// - Returns: the message that answers it; nil: done, without one.
  /// - Throws: ``LocalModelError`` to refuse with a code of the model's own; any other error is told to the
  ///   client as `internal_error`.
  func handle(_ call: LocalModelCall, in session: LocalSession) async throws -> LocalModelMessage?
}

/// A track of a model.
public struct LocalModelTrack: Sendable, Hashable {
  /// Which way it goes, seen from the model.
  public enum Direction: String, Sendable {
    /// The model generates it.
    case output = "out"
    /// Clients push it.
    case input = "in"
  }

  /// Its name.
  public let name: String
  /// What it carries.
  public let kind: TrackKind
  /// Which way it goes.
  public let direction: Direction

  /// A track.
  public init(_ name: String, _ kind: TrackKind, _ direction: Direction) {
    self.name = name
    self.kind = kind
    self.direction = direction
  }
}

/// A command of a model, with its parameters.
public struct LocalModelCommand: Sendable, Hashable {
  /// What a parameter takes.
  public enum ParameterKind: String, Sendable {
    /// Text.
    case string
    /// A number.
    case number
    /// True or false.
    case boolean
    /// An uploaded file.
    case upload
    /// Any JSON value.
    case any
  }

  /// A parameter of a command.
  public struct Parameter: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// What it takes.
    public let kind: ParameterKind
    /// Whether a call without it is refused.
    public let isRequired: Bool

    /// A parameter.
    public init(_ name: String, _ kind: ParameterKind, isRequired: Bool = true) {
      self.name = name
      self.kind = kind
      self.isRequired = isRequired
    }
  }

  /// Its name.
  public let name: String
  /// For people.
  public let summary: String
  /// What it takes.
  public let parameters: [Parameter]

  /// A command.
  public init(_ name: String, summary: String = "", parameters: [Parameter] = []) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
  }
}

/// A command as a client called it.
public struct LocalModelCall: Sendable {
  /// The command.
  public let command: String
  /// Its arguments by name; of an upload parameter the reference object.
  public let arguments: [String: JSONValue]
  /// The bytes of the uploads that the arguments name, by parameter.
  public let uploads: [String: [UInt8]]
}

/// A message of a model.
public struct LocalModelMessage: Sendable, Hashable {
  /// Its type.
  public let type: String
  /// Its content.
  public let data: JSONValue

  /// A message.
  public init(_ type: String, _ data: JSONValue = [:]) {
    self.type = type
    self.data = data
  }
}

/// A command that a model refuses.
public struct LocalModelError: Error, Sendable, Hashable {
  /// The model's own code, which the client's error carries.
  public let code: String
  /// For people.
  public let message: String

  /// A refusal.
  public init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}
