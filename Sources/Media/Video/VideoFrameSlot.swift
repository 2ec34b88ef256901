import Codecs
import RTP

/// The one-slot mailbox between a track's decoder and its handler: the newest picture wins.
final class VideoFrameSlot: Sendable {
  struct Picture: Sendable {
    var buffer: BGRABuffer
    var rtpTimestamp: UInt32
    var metadata: FrameMetadata?
  }

  /// A struct, not a tuple: a closure in a generic result would be wrapped in a box, an allocation a frame.
  private struct Turn {
    var picture: Picture
    var handler: @Sendable (borrowing ReceivedVideoFrame) -> Void
  }

  private struct State: Sendable {
    var picture: Picture?
    var handler: (@Sendable (borrowing ReceivedVideoFrame) -> Void)?
    var replaced = 0
    var delivered = 0
  }

  let pool = PicturePool<BGRABuffer>()
  private let state = Monitor(State())

  /// Replaces the handler. When this returns, the old one will not be called any more; a call that runs
  /// just now runs to its end.
  func setHandler(_ handler: (@Sendable (borrowing ReceivedVideoFrame) -> Void)?) {
    let dropped = state.withLock { state -> Picture? in
      state.handler = handler
      guard handler == nil else { return nil }
      return state.picture.take()
    }
    if let dropped { pool.give(dropped.buffer) }
  }

  /// Leaves a picture for the handler.
  func put(_ picture: Picture) {
    let dropped = state.withLock { state -> Picture? in
      guard state.handler != nil else { return picture }
      let replaced = state.picture
      if replaced != nil { state.replaced += 1 }
      state.picture = picture
      return replaced
    }
    if let dropped { pool.give(dropped.buffer) }
  }

  /// Hands the picture that waits to the handler, on the calling thread.
  func deliver() {
    let next = state.withLock { state -> Turn? in
      guard let handler = state.handler, let picture = state.picture.take() else { return nil }
      state.delivered += 1
      return Turn(picture: picture, handler: handler)
    }
    guard let next else { return }
    let picture = next.picture
    next.handler(
      ReceivedVideoFrame(
        pixels: UnsafeRawBufferPointer(picture.buffer.bytes), width: picture.buffer.width,
        height: picture.buffer.height, rtpTimestamp: picture.rtpTimestamp, metadata: picture.metadata))
    pool.give(picture.buffer)
  }

  var counts: (replaced: Int, delivered: Int) { state.withLock { ($0.replaced, $0.delivered) } }
}
