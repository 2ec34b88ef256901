import ReactorTypes

/// Media for, or from, one step (wire protocol section 11).
package struct TrackFrames: Hashable, Sendable {
  package struct Frame: Hashable, Sendable {
    /// 0 unspecified, 1 raw, 2 an H.264 access unit.
    package var encoding: UInt64
    package var dtype: String
    package var shape: [UInt32]
    package var data: [UInt8]
    package var metadata: [UInt8]?
    package var captureTimeUs: Int64?

    package init(
      encoding: UInt64 = 1, dtype: String = "", shape: [UInt32] = [], data: [UInt8] = [],
      metadata: [UInt8]? = nil, captureTimeUs: Int64? = nil
    ) {
      self.encoding = encoding
      self.dtype = dtype
      self.shape = shape
      self.data = data
      self.metadata = metadata
      self.captureTimeUs = captureTimeUs
    }
  }

  package var track: String
  /// 0 unspecified, 1 video, 2 audio.
  package var kind: UInt64
  package var frames: [Frame]
  /// Frames a second, or the sample rate.
  package var rate: Double

  package init(track: String = "", kind: UInt64 = 0, frames: [Frame] = [], rate: Double = 0) {
    self.track = track
    self.kind = kind
    self.frames = frames
    self.rate = rate
  }
}

/// A request for one step of a stepped session.
package struct StepRequest: Hashable, Sendable {
  package var state: [String: JSONValue]?
  package var commands: [Command]
  package var mediaInput: [TrackFrames]

  package init(
    state: [String: JSONValue]? = nil, commands: [Command] = [], mediaInput: [TrackFrames] = []
  ) {
    self.state = state
    self.commands = commands
    self.mediaInput = mediaInput
  }
}
