#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import Media
import Synchronization

/// The frame handlers of one track, for the whole life of its client: connections come and go below.
final class FrameHandlers: Sendable {
  private enum Handler: Sendable {
    case copied(@Sendable (VideoFrame) -> Void)
    case lent(@Sendable (borrowing RawVideoFrame) -> Void)
    case audio(@Sendable (AudioFrame) -> Void)

    var isVideo: Bool {
      switch self {
      case .copied, .lent: true
      case .audio: false
      }
    }
  }

  private struct State {
    var handlers: [(id: UInt64, handler: Handler)] = []
    var nextID: UInt64 = 0
    var onChange: (@Sendable () -> Void)?
  }

  private let trackName: String
  private let state = Mutex(State())

  init(trackName: String) {
    self.trackName = trackName
  }

  var hasVideo: Bool { state.withLock { state in state.handlers.contains { $0.handler.isVideo } } }
  var hasAudio: Bool { state.withLock { state in state.handlers.contains { !$0.handler.isVideo } } }

  /// Called whenever there begins or ceases to be a handler, on the thread of that call.
  func setChangeHandler(_ handler: (@Sendable () -> Void)?) {
    state.withLock { $0.onChange = handler }
  }

  func addCopied(_ handler: @escaping @Sendable (VideoFrame) -> Void) -> Subscription {
    add(.copied(handler))
  }

  func addLent(_ handler: @escaping @Sendable (borrowing RawVideoFrame) -> Void) -> Subscription {
    add(.lent(handler))
  }

  func addAudio(_ handler: @escaping @Sendable (AudioFrame) -> Void) -> Subscription { add(.audio(handler)) }

  private func add(_ handler: Handler) -> Subscription {
    let (id, onChange) = state.withLock { state -> (UInt64, (@Sendable () -> Void)?) in
      state.nextID += 1
      state.handlers.append((state.nextID, handler))
      return (state.nextID, state.onChange)
    }
    onChange?()
    return Subscription { [weak self] in self?.remove(id) }
  }

  private func remove(_ id: UInt64) {
    let (removed, onChange) = state.withLock { state -> (Handler?, (@Sendable () -> Void)?) in
      guard let index = state.handlers.firstIndex(where: { $0.id == id }) else { return (nil, nil) }
      return (state.handlers.remove(at: index).handler, state.onChange)
    }
    withExtendedLifetime(removed) {}
    onChange?()
  }

  func removeAll() {
    let removed = state.withLock { state in
      defer { state.handlers.removeAll() }
      return state.handlers
    }
    withExtendedLifetime(removed) {}
  }

  private func handler(_ id: UInt64) -> Handler? {
    state.withLock { state in state.handlers.first { $0.id == id }?.handler }
  }

  /// On a frame thread. The copy is made once, however many handlers want it.
  func deliver(_ frame: borrowing ReceivedVideoFrame) {
    let ids = state.withLock { $0.handlers.map(\.id) }
    var copy: VideoFrame?
    for id in ids {
      switch handler(id) {
      case .lent(let call): lend(frame, to: call)
      case .copied(let call):
        let whole = copy ?? copied(frame)
        copy = whole
        call(whole)
      case .audio, nil: break
      }
    }
  }

  /// On a frame thread.
  func deliver(_ frame: borrowing ReceivedAudioFrame) {
    let ids = state.withLock { $0.handlers.map(\.id) }
    let copy = AudioFrame(
      trackName: trackName, samples: Array(frame.samples), sampleRate: UInt32(frame.sampleRate),
      channels: UInt32(frame.channels))
    for id in ids {
      if case .audio(let call) = handler(id) { call(copy) }
    }
  }

  private func lend(
    _ frame: borrowing ReceivedVideoFrame, to call: @Sendable (borrowing RawVideoFrame) -> Void
  ) {
    guard let userData = frame.metadata?.userData else {
      call(raw(frame, userData: nil))
      return
    }
    userData.withUnsafeBytes { call(raw(frame, userData: $0)) }
  }

  private func raw(_ frame: borrowing ReceivedVideoFrame, userData: UnsafeRawBufferPointer?) -> RawVideoFrame
  {
    RawVideoFrame(
      trackName: trackName, pixels: frame.pixels, width: UInt32(frame.width), height: UInt32(frame.height),
      frameID: frame.metadata?.frameID ?? 0, captureTimeUs: frame.metadata?.captureTimeUs ?? 0,
      userData: userData)
  }

  private func copied(_ frame: borrowing ReceivedVideoFrame) -> VideoFrame {
    VideoFrame(
      trackName: trackName, pixels: Data(frame.pixels), width: UInt32(frame.width),
      height: UInt32(frame.height),
      frameID: frame.metadata?.frameID ?? 0, captureTimeUs: frame.metadata?.captureTimeUs ?? 0,
      userData: frame.metadata?.userData.map { Data($0) })
  }
}
