import Foundation
import Reactor
import ReactorToolSupport
import Synchronization

/// Pushes a moving pattern to a published track, each picture tagged with the time of its push.
final class PatternPush: Sendable {
  private static let width = 640
  private static let height = 360
  private static let interval = Duration.milliseconds(33)
  private static let tag = "reactor-push "

  private let count = Mutex(0)
  private let work = Mutex<Task<Void, Never>?>(nil)

  /// How many pictures were pushed.
  var pushed: Int { count.withLock { $0 } }

  /// Begins; a picture that the track does not take (paused, or reconnecting) is left out.
  init(to track: Track) {
    work.withLock { work in
      work = Task { [weak self] in
        var pattern = StripePattern(width: PatternPush.width, height: PatternPush.height)
        var due = ContinuousClock.now
        var index = 0
        while !Task.isCancelled {
          let pixels = pattern.draw(index)
          let time = Reactor.timeMicros()
          let tag = Array((PatternPush.tag + "\(time)").utf8)
          let isTaken: Void? = try? pixels.withUnsafeBytes { pixels in
            try tag.withUnsafeBytes { tag in
              try track.pushFrame(
                pixels, width: UInt32(PatternPush.width), height: UInt32(PatternPush.height), userData: tag,
                captureTimeUs: time)
            }
          }
          if isTaken != nil { self?.count.withLock { $0 += 1 } }
          index += 1
          // A machine that was held up does not make up for it by a burst.
          due = max(due + PatternPush.interval, ContinuousClock.now - PatternPush.interval * 3)
          do {
            try await Task.sleep(until: due, clock: .continuous)
          } catch {
            return
          }
        }
      }
    }
  }

  deinit { stop() }

  func stop() {
    work.withLock { $0?.cancel() }
  }

  /// When the picture with this tag was pushed; nil for a tag that is not from here.
  static func pushTime(of tag: Data) -> Int64? {
    let text = String(decoding: tag, as: UTF8.self)
    guard text.hasPrefix(PatternPush.tag) else { return nil }
    return Int64(text.dropFirst(PatternPush.tag.count))
  }
}
