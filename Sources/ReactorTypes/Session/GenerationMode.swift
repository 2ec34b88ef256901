/// How a session generates.
public enum GenerationMode: String, Sendable, CaseIterable {
  /// All the time.
  case streamed
  /// One step a call.
  case stepped
}
