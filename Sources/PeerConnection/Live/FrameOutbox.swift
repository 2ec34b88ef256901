import RTP
import Synchronization
import WireFormat

/// Encoded frames of a connection on their way from the encoder threads to the network thread.
///
/// Nothing is allocated a frame: the ring keeps its memory, and a command that captures a single object is
/// that object.
final class FrameOutbox: Sendable {
  /// Frames that may wait: two seconds of one track. The network thread takes them out at its next turn.
  static let limit = 64

  struct Item: Sendable {
    let mid: String
    var frame: EncodedVideoFrame
  }

  private struct State {
    var items = FIFO<Item>()
    var isScheduled = false
    weak var connection: LiveConnection?
  }

  private let state = Mutex(State())

  /// Whose frames these are. Set once, before the first frame.
  func attach(_ connection: LiveConnection) {
    state.withLock { $0.connection = connection }
  }

  /// Leaves a frame for `loop`; false when it has no time for it, and the frame is lost.
  func append(_ item: Item, on loop: NetworkLoop) -> Bool {
    let (isTaken, mustSchedule) = state.withLock { state -> (Bool, Bool) in
      guard state.items.count < FrameOutbox.limit else { return (false, false) }
      state.items.append(item)
      defer { state.isScheduled = true }
      return (true, !state.isScheduled)
    }
    guard mustSchedule, !loop.submit({ self.drain() }) else { return isTaken }
    state.withLock { state in
      state.items.removeAll()
      state.isScheduled = false
    }
    return false
  }

  /// The frame that waits longest; nil when there is none, and the next one schedules another turn.
  func next() -> Item? {
    state.withLock { state in
      guard let item = state.items.popFirst() else {
        state.isScheduled = false
        return nil
      }
      return item
    }
  }

  private func drain() {
    guard let connection = state.withLock({ $0.connection }) else { return }
    connection.assumeIsolated { $0.sendFrames() }
  }
}
