/// Ten milliseconds of decoded sound.
public struct AudioFrame: Sendable {
  /// The track it came on.
  public let trackName: String
  /// Interleaved samples: `sampleRate / 100 × channels` of them.
  public let samples: [Int16]
  /// In hertz; 48 000.
  public let sampleRate: UInt32
  /// 1 or 2.
  public let channels: UInt32

  package init(trackName: String, samples: [Int16], sampleRate: UInt32, channels: UInt32) {
    self.trackName = trackName
    self.samples = samples
    self.sampleRate = sampleRate
    self.channels = channels
  }
}
