import Media
import ReactorTypes
import Synchronization
import WireFormat

/// Sees a track's pictures. Its report: `frames`; `seconds` from the first to the last of them; `fps`; `width`
/// and `height`; `colour` [r, g, b], the mean around the spot of the last picture; `longestGapMs` between two;
/// `withMetadata`, how many had a trailer; of the last one `frameID`, `captureTimeUs` and `data`; `inOrder`,
/// whether frame ids and capture times only rose.
final class VideoObserver: Sendable {
  private struct State {
    var spot = (x: 0.5, y: 0.5)
    var frames = 0
    var first: Instant?
    var last: Instant?
    var longestGap = Interval.zero
    var width = 0
    var height = 0
    var colour: [JSONValue] = []
    var withMetadata = 0
    var frameID: UInt64 = 0
    var captureTimeUs: UInt64 = 0
    var data: String?
    var isInOrder = true
  }

  /// Pixels to each side of the spot that the colour is the mean of.
  private static let reach = 4

  private let state = Mutex(State())

  func look(at spot: (x: Double, y: Double)) {
    state.withLock { $0.spot = spot }
  }

  func see(_ frame: borrowing ReceivedVideoFrame) {
    let now = MonotonicClock.now()
    let spot = state.withLock { $0.spot }
    let colour = VideoObserver.mean(frame, around: spot)
    let (width, height, metadata) = (frame.width, frame.height, frame.metadata)
    state.withLock { state in
      state.frames += 1
      if let last = state.last { state.longestGap = max(state.longestGap, now - last) }
      state.first = state.first ?? now
      state.last = now
      (state.width, state.height, state.colour) = (width, height, colour)
      guard let metadata else { return }
      state.withMetadata += 1
      if metadata.frameID <= state.frameID || metadata.captureTimeUs < state.captureTimeUs {
        state.isInOrder = false
      }
      state.frameID = metadata.frameID
      state.captureTimeUs = metadata.captureTimeUs
      state.data = metadata.userData.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  func report(reset: Bool) -> [String: JSONValue] {
    state.withLock { state in
      let seconds = state.first.flatMap { first in state.last.map { ($0 - first).inSeconds } } ?? 0
      let rate = seconds > 0 ? Double(state.frames - 1) / seconds : 0
      let result: [String: JSONValue] = [
        "frames": .number(Double(state.frames)), "seconds": .number(seconds), "fps": .number(rate),
        "width": .number(Double(state.width)), "height": .number(Double(state.height)),
        "colour": .array(state.colour), "longestGapMs": .number(state.longestGap.inMilliseconds),
        "withMetadata": .number(Double(state.withMetadata)), "frameID": .number(Double(state.frameID)),
        "captureTimeUs": .number(Double(state.captureTimeUs)),
        "data": state.data.map { .string($0) } ?? .null, "inOrder": .bool(state.isInOrder),
      ]
      if reset {
        state.frames = 0
        state.first = nil
        state.last = nil
        state.longestGap = .zero
        state.withMetadata = 0
        state.isInOrder = true
      }
      return result
    }
  }

  private static func mean(
    _ frame: borrowing ReceivedVideoFrame, around spot: (x: Double, y: Double)
  ) -> [JSONValue] {
    let (width, height) = (frame.width, frame.height)
    let column = min(max(reach, Int(Double(width) * spot.x)), width - reach - 1)
    let line = min(max(reach, Int(Double(height) * spot.y)), height - reach - 1)
    guard column >= reach, line >= reach else { return [] }
    var sums = [0, 0, 0]
    for y in line - reach...line + reach {
      for x in column - reach...column + reach {
        for part in 0..<3 { sums[part] += Int(frame.pixels[(y * width + x) * 4 + 2 - part]) }
      }
    }
    let count = (2 * reach + 1) * (2 * reach + 1)
    return sums.map { .number(Double($0 / count)) }
  }
}
