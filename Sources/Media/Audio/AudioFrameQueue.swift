/// The short queue between a track's audio decoder and the handler's thread. It keeps its backlog: when it is
/// full, new frames are refused and counted.
///
/// One memory block for all frames. `@unchecked Sendable`: `frames` is written by the one thread that puts,
/// in places that `state` says are free, and read by the one handler that runs, in the place that `state`
/// says is taken; places change hands under the lock of `state`.
package final class AudioFrameQueue: @unchecked Sendable {
  package typealias Handler = @Sendable (borrowing ReceivedAudioFrame) -> Void

  /// Frames of 10 ms: half a second.
  package static let limit = 50
  /// Samples a channel in a frame.
  package static let frameLength = 480
  /// Frames handed over before other tracks get their turn.
  package static let turn = 8

  /// A struct, not a tuple: a closure in a generic result would be wrapped in a box, an allocation a frame.
  private struct Turn {
    var place: Int
    var channels: Int
    var handler: Handler
  }

  private struct State: Sendable {
    var handler: Handler?
    var first = 0
    var count = 0
    var channels = [Int](repeating: 1, count: AudioFrameQueue.limit)
    var refused = 0
    var delivered = 0
  }

  private let frames: UnsafeMutableBufferPointer<Int16>
  private let state = Monitor(State())

  package init() {
    frames = .allocate(capacity: Self.limit * Self.frameLength * 2)
    frames.initialize(repeating: 0)
  }

  deinit {
    frames.deallocate()
  }

  /// Replaces the handler. When this returns, the old one will not be called any more; a call that runs
  /// just now runs to its end.
  package func setHandler(_ handler: Handler?) {
    state.withLock { $0.handler = handler }
  }

  /// Appends 10 ms. The decoder's thread alone calls this.
  package func put(_ samples: UnsafeBufferPointer<Int16>, channels: Int) {
    guard samples.count == Self.frameLength * channels, channels == 1 || channels == 2 else { return }
    let place = state.withLock { state -> Int? in
      guard state.handler != nil else { return nil }
      guard state.count < Self.limit else {
        state.refused += 1
        return nil
      }
      return (state.first + state.count) % Self.limit
    }
    guard let place, let target = slot(place).baseAddress, let source = samples.baseAddress else { return }
    target.update(from: source, count: samples.count)
    state.withLock { state in
      state.channels[place] = channels
      state.count += 1
    }
  }

  /// Hands a turn's frames to the handler, on the calling thread. Returns whether more wait.
  package func deliver() -> Bool {
    for _ in 0..<Self.turn where !deliverOne() { return false }
    return state.withLock { $0.count > 0 && $0.handler != nil }
  }

  private func deliverOne() -> Bool {
    let next = state.withLock { state -> Turn? in
      guard state.count > 0 else { return nil }
      guard let handler = state.handler else {
        // Nobody listens any more: what waits is let go.
        state.first = (state.first + state.count) % Self.limit
        state.count = 0
        return nil
      }
      state.delivered += 1
      return Turn(place: state.first, channels: state.channels[state.first], handler: handler)
    }
    guard let next else { return false }
    let samples = UnsafeBufferPointer(
      rebasing: UnsafeBufferPointer(slot(next.place))[..<(Self.frameLength * next.channels)])
    next.handler(ReceivedAudioFrame(samples: samples, sampleRate: 48_000, channels: next.channels))
    state.withLock { state in
      guard state.count > 0 else { return }
      state.first = (state.first + 1) % Self.limit
      state.count -= 1
    }
    return true
  }

  private func slot(_ place: Int) -> UnsafeMutableBufferPointer<Int16> {
    let length = Self.frameLength * 2
    return UnsafeMutableBufferPointer(rebasing: frames[place * length..<(place + 1) * length])
  }

  package var counts: (refused: Int, delivered: Int) { state.withLock { ($0.refused, $0.delivered) } }
}
