import WireFormat

/// A chunk with a TSN that the other side has not acknowledged cumulatively.
struct OutstandingChunk {
  enum State: UInt8 {
    case inFlight
    /// Found lost; to be sent again.
    case lost
    /// Reported by a gap block.
    case acknowledged
    /// Given up; FORWARD-TSN tells the other side to skip it.
    case abandoned
  }

  /// nil in a free slot, and in one that stands for the unsent rest of an abandoned message.
  var message: OutgoingMessage?
  var offset = 0
  var length = 0
  var flags: UInt8 = 0
  var state = State.inFlight
  var isApplicationLimited = false
  /// Abandoned while in flight: its arrival still says something about the path.
  var mayStillArrive = false
  var transmissions: UInt32 = 0
  var fragmentNumber: UInt32 = 0
  var sentAt = Instant.origin
  /// Bytes delivered, and when that was, at the time of sending; and when the first chunk of that flight
  /// was sent: what a delivery rate is measured from.
  var deliveredAtSend: UInt64 = 0
  var deliveredTimeAtSend = Instant.origin
  var flightStartAtSend = Instant.origin

  static var free: OutstandingChunk { OutstandingChunk() }
}
