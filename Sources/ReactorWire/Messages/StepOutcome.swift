/// What one step gave, or why it did not.
package struct StepOutcome: Hashable, Sendable {
  package struct File: Hashable, Sendable {
    package var name: String
    package var contentType: String
    package var size: UInt64

    package init(name: String = "", contentType: String = "", size: UInt64 = 0) {
      self.name = name
      self.contentType = contentType
      self.size = size
    }
  }

  package var step: UInt64
  package var tracks: [TrackFrames]
  package var elapsedSeconds: Double
  package var files: [File]
  package var error: String?
  /// 0 worked, 1 refused, 2 not ready, 3 ran and failed, 4 too large, 5 a command failed, 6 session ended.
  package var failureCode: UInt64
  package var code: String?
  package var entry: String?

  package init(
    step: UInt64 = 0, tracks: [TrackFrames] = [], elapsedSeconds: Double = 0, files: [File] = [],
    error: String? = nil, failureCode: UInt64 = 0, code: String? = nil, entry: String? = nil
  ) {
    self.step = step
    self.tracks = tracks
    self.elapsedSeconds = elapsedSeconds
    self.files = files
    self.error = error
    self.failureCode = failureCode
    self.code = code
    self.entry = entry
  }
}
