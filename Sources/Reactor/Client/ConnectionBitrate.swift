import PeerConnection
import Synchronization

/// The connection's bitrate bounds, remembered over reconnects.
final class ConnectionBitrate: Sendable {
  struct Bounds: Sendable, Hashable {
    var minimum: Int?
    var start: Int?
    var maximum: Int?
  }

  private let bounds = Mutex<Bounds?>(nil)

  func set(_ new: Bounds) {
    bounds.withLock { $0 = new }
  }

  func apply(to live: LiveConnection) async {
    guard let bounds = bounds.withLock({ $0 }) else { return }
    await live.setBitrateBounds(minimum: bounds.minimum, start: bounds.start, maximum: bounds.maximum)
  }
}
