/// Version facts of this SDK.
public enum ReactorSDK {
  /// Semantic version; sent as `client_info.sdk_version`.
  public static let version: String = "0.1.0"
}
