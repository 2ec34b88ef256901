/// Constants that several modules need and the `Reactor` class repeats as its own.
package enum ReactorDefaults {
  package static let apiURL = "https://api.reactor.inc"
  package static let localAPIURL = "http://localhost:8080"
  /// `client_info.sdk_type` on the wire.
  package static let sdkType = "swift"
}
