/// The quality report that a client sends every 5 s (wire protocol section 12.3).
package struct ClientStats: Hashable, Sendable {
  package enum Codec: Hashable, Sendable {
    /// 1 VP8, 2 VP9, 3 AV1, 4 H264, 5 H265.
    case video(UInt64)
    /// 1 Opus.
    case audio(UInt64)
  }

  package struct Stage: Hashable, Sendable {
    package var name: String
    package var totalMS: Double
    /// Frames or messages.
    package var count: UInt64
    package var partOf: String

    package init(name: String, totalMS: Double, count: UInt64, partOf: String = "") {
      self.name = name
      self.totalMS = totalMS
      self.count = count
      self.partOf = partOf
    }
  }

  package struct TrackStat: Hashable, Sendable {
    /// Milliseconds of Unix time.
    package var timestampMS: Int64
    package var trackName: String
    package var isVideo: Bool
    package var isReceived: Bool
    package var codec: Codec?
    package var isPaused: Bool
    package var metrics: [String: Double]
    package var frameStages: [Stage]
    package var codecImplementation: String
    package var isHardwareCodec: Bool?

    package init(
      timestampMS: Int64, trackName: String, isVideo: Bool, isReceived: Bool, codec: Codec? = nil,
      isPaused: Bool = false, metrics: [String: Double] = [:], frameStages: [Stage] = [],
      codecImplementation: String = "", isHardwareCodec: Bool? = nil
    ) {
      self.timestampMS = timestampMS
      self.trackName = trackName
      self.isVideo = isVideo
      self.isReceived = isReceived
      self.codec = codec
      self.isPaused = isPaused
      self.metrics = metrics
      self.frameStages = frameStages
      self.codecImplementation = codecImplementation
      self.isHardwareCodec = isHardwareCodec
    }
  }

  package struct Environment: Hashable, Sendable {
    package var sdkType = ""
    package var sdkVersion = ""
    package var os = ""
    package var osVersion = ""
    package var architecture = ""
    package var deviceModel = ""

    package init() {}
  }

  package struct ConnectionStat: Hashable, Sendable {
    package var timestampMS: Int64
    package var metrics: [String: Double]
    package var environment: Environment?
    package var messageStages: [Stage]

    package init(
      timestampMS: Int64, metrics: [String: Double] = [:], environment: Environment? = nil,
      messageStages: [Stage] = []
    ) {
      self.timestampMS = timestampMS
      self.metrics = metrics
      self.environment = environment
      self.messageStages = messageStages
    }
  }

  package var tracks: [TrackStat]
  package var connection: ConnectionStat?

  package init(tracks: [TrackStat] = [], connection: ConnectionStat? = nil) {
    self.tracks = tracks
    self.connection = connection
  }
}
