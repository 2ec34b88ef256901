/// Which way a track goes, seen from this client.
public enum TrackDirection: String, Sendable, CaseIterable {
  /// To the model.
  case sendonly
  /// From the model.
  case recvonly
}
