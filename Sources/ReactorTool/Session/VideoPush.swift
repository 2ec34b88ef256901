import Foundation
import Reactor
import ReactorToolSupport
import Synchronization

/// Pushes pictures to a published track at their own rate, each tagged with the time of its push.
final class VideoPush: Sendable {
  private static let tag = "reactor-push "

  private struct State {
    var pushed = 0
    var isFinished = false
    var failure: (any Error)?
  }

  /// What the work writes and the watcher reads; it keeps neither alive.
  private final class Progress: Sendable {
    let state = Mutex(State())
  }

  private let progress = Progress()
  private let work: Task<Void, Never>

  /// How many pictures were pushed.
  var pushed: Int { progress.state.withLock { $0.pushed } }

  /// Whether the source has no more.
  var isFinished: Bool { progress.state.withLock { $0.isFinished } }

  /// Why the source ended, when it did so by an error.
  var failure: (any Error)? { progress.state.withLock { $0.failure } }

  /// Begins; a picture that the track does not take (paused, or reconnecting) is left out.
  init(_ source: any PictureSource, to track: Track) {
    work = Task.detached { [progress] in
      var failure: (any Error)?
      do {
        try await VideoPush.run(source, to: track) { progress.state.withLock { $0.pushed += 1 } }
      } catch is CancellationError {
        return
      } catch let error {
        failure = error
      }
      progress.state.withLock { state in
        state.isFinished = true
        state.failure = failure
      }
    }
  }

  deinit { stop() }

  func stop() {
    work.cancel()
  }

  private static func run(
    _ source: any PictureSource, to track: Track, onPush: @Sendable () -> Void
  ) async throws {
    let interval = Duration.seconds(1) / source.framesPerSecond
    var due = ContinuousClock.now
    while let picture = try source.next() {
      try await Task.sleep(until: due, clock: .continuous)
      let time = Reactor.timeMicros()
      let tag = Array((VideoPush.tag + "\(time)").utf8)
      let isTaken: Void? = try? picture.pixels.withUnsafeBytes { pixels in
        try tag.withUnsafeBytes { tag in
          try track.pushFrame(
            pixels, width: UInt32(picture.width), height: UInt32(picture.height), userData: tag,
            captureTimeUs: time)
        }
      }
      if isTaken != nil { onPush() }
      // A machine that was held up does not make up for it by a burst.
      due = max(due + interval, ContinuousClock.now - interval * 3)
    }
  }

  /// When the picture with this tag was pushed; nil for a tag that is not from here.
  static func pushTime(of tag: Data) -> Int64? {
    let text = String(decoding: tag, as: UTF8.self)
    guard text.hasPrefix(VideoPush.tag) else { return nil }
    return Int64(text.dropFirst(VideoPush.tag.count))
  }
}
