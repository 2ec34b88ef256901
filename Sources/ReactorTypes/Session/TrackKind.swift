/// What a track carries.
public enum TrackKind: String, Sendable, CaseIterable {
  /// Pictures.
  case video
  /// Sound.
  case audio
}
