import WireFormat

/// A frame all of whose packets are there: where they lie, and what its first packet says.
struct AssembledFrame {
  /// Unwrapped sequence numbers.
  let firstSequence: Int64
  let lastSequence: Int64
  let codec: VideoCodec
  let timestamp: UInt32
  let isKeyframe: Bool
  let width: Int
  let height: Int
  let dependencies: FrameDependencies
  let byteCount: Int
  /// Only where one of its packets tells.
  let colourSpace: VideoColourSpace?
  /// When its last missing packet came.
  let completed: Instant
}
