import Reactor
import Synchronization

/// What has come back so far, counted on a frame thread.
final class ReceivedMedia: Sendable {
  struct Figures: Sendable {
    var frames = 0
    var soundBlocks = 0
    /// Pictures that carry the tag of one that was pushed.
    var echoes = 0
    /// Of those, the pictures that show the echo model's green corner.
    var markedEchoes = 0
    /// From push to return of the newest echo.
    var echoMilliseconds: Double?
    var newest: VideoFrame?
    /// Pictures in the last second.
    var framesPerSecond = 0

    /// `640x360`, or `-`.
    var size: String { newest.map { "\($0.width)x\($0.height)" } ?? "-" }
  }

  private struct State {
    var figures = Figures()
    var arrivals: [ContinuousClock.Instant] = []
  }

  private let state = Mutex(State())

  var figures: Figures {
    let now = ContinuousClock.now
    return state.withLock { state in
      var figures = state.figures
      figures.framesPerSecond = state.arrivals.count { now - $0 <= .seconds(1) }
      return figures
    }
  }

  func take(_ frame: VideoFrame) {
    let pushed = frame.userData.flatMap { VideoPush.pushTime(of: $0) }
    let isMarked = pushed != nil && ReceivedMedia.showsMark(frame)
    let now = ContinuousClock.now
    state.withLock { state in
      state.figures.frames += 1
      state.figures.newest = frame
      state.arrivals.removeAll { now - $0 > .seconds(1) }
      state.arrivals.append(now)
      guard let pushed else { return }
      state.figures.echoes += 1
      if isMarked { state.figures.markedEchoes += 1 }
      state.figures.echoMilliseconds = Double(Reactor.timeMicros() - pushed) / 1000
    }
  }

  func take(_ sound: AudioFrame) {
    state.withLock { $0.figures.soundBlocks += 1 }
  }

  /// Whether the lower right corner is green, as the echo model leaves it.
  private static func showsMark(_ frame: VideoFrame) -> Bool {
    guard frame.width >= 16, frame.height >= 16 else { return false }
    let offset = (Int(frame.height - 8) * Int(frame.width) + Int(frame.width) - 8) * 4
    return frame.pixels.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
      bytes[offset] < 90 && bytes[offset + 1] > 140 && bytes[offset + 2] < 90
    }
  }
}
