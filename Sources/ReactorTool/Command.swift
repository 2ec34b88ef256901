import ReactorToolSupport

/// One word of the tool.
protocol Command: Sendable {
  static var description: CommandDescription { get }

  /// Runs until it is done or its task is cancelled, which is what Ctrl-C does.
  ///
  /// Throws `UsageError` for options that make no sense together, and what the SDK throws.
  static func run(_ options: CommandLineOptions, console: Console) async throws -> ToolStatus
}
