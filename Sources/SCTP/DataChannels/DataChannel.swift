/// What the transport knows of one channel.
final class DataChannel {
  let id: DataChannelID
  let label: String
  let options: DataChannelOptions
  let isRemote: Bool
  var streamID: UInt16?
  var state = State.waitingForTransport
  var lowWaterMark = 0
  /// Until the other side answered OPEN, messages go in order, so that none overtakes it (RFC 8832 §6).
  var isAcknowledged = false
  var closeReason = DataChannelCloseReason.closedLocally

  enum State {
    /// Opened before the association was up.
    case waitingForTransport
    case open
    /// Our outgoing stream is being reset, or waits for what is queued on it.
    case closing(Closing)
    case closed
  }

  /// Which halves of a closing channel are still alive (RFC 8831 section 6.7).
  struct Closing {
    var awaitsOutgoingReset = true
    var awaitsIncomingReset = true
    var isDone: Bool { !awaitsOutgoingReset && !awaitsIncomingReset }
  }

  init(id: DataChannelID, label: String, options: DataChannelOptions, isRemote: Bool) {
    self.id = id
    self.label = label
    self.options = options
    self.isRemote = isRemote
  }

  var isOpen: Bool {
    if case .open = state { true } else { false }
  }

  var isWaiting: Bool {
    if case .waitingForTransport = state { true } else { false }
  }
}
