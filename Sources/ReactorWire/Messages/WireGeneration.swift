/// Which of the platform's two data-channel protocols a connection speaks (wire protocol section 0.3).
package enum WireGeneration: String, Sendable, CaseIterable {
  /// JSON text, commands without replies ("wire A").
  case v0
  /// Protobuf `reactor_wire.v1` in binary frames, replies correlated by id ("wire B").
  case v1
}
