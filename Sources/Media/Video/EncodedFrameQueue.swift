import RTP

/// Assembled frames that wait for the decoder, in order, at most `limit` of them and `byteLimit` bytes.
///
/// A ring of fixed size: no allocation while frames come and go.
package struct EncodedFrameQueue: Sendable {
  /// A second of video: a decoder that is further behind will not catch up by decoding.
  package static let limit = 32
  package static let byteLimit = 16 << 20

  private var frames = [EncodedVideoFrame?](repeating: nil, count: EncodedFrameQueue.limit)
  private var first = 0
  package private(set) var count = 0
  package private(set) var bytes = 0

  package init() {}

  /// Returns false, and takes nothing, when the queue is full.
  package mutating func append(_ frame: EncodedVideoFrame) -> Bool {
    guard count < Self.limit, bytes + frame.data.count <= Self.byteLimit else { return false }
    frames[(first + count) % Self.limit] = frame
    count += 1
    bytes += frame.data.count
    return true
  }

  package mutating func popFirst() -> EncodedVideoFrame? {
    guard count > 0, let frame = frames[first].take() else { return nil }
    first = (first + 1) % Self.limit
    count -= 1
    bytes -= frame.data.count
    return frame
  }

  /// Drops frames up to the first keyframe. Returns how many.
  package mutating func dropToKeyframe() -> Int {
    var dropped = 0
    while count > 0, frames[first]?.isKeyframe == false {
      _ = popFirst()
      dropped += 1
    }
    return dropped
  }

  /// Drops everything. Returns how many.
  package mutating func removeAll() -> Int {
    var dropped = 0
    while popFirst() != nil { dropped += 1 }
    return dropped
  }
}
