import WireFormat

/// The states of RFC 9260 section 4. Valid successors stand at each.
enum AssociationState {
  /// Nothing was started; answers INIT. Then cookieWait, established.
  case idle
  /// INIT is sent. Then cookieEchoed, established (by the other side's handshake), closed.
  case cookieWait
  /// COOKIE ECHO is sent; carries the chunk for its repetition. Then established, cookieWait (stale), closed.
  case cookieEchoed([UInt8])
  /// Then shutdownPending, shutdownReceived, closed.
  case established
  /// The user shut down and data is left. Then shutdownSent, shutdownReceived, closed.
  case shutdownPending
  /// SHUTDOWN is sent. Then shutdownAckSent, closed.
  case shutdownSent
  /// The other side shut down and our data is left. Then shutdownAckSent, closed.
  case shutdownReceived
  /// Then closed.
  case shutdownAckSent
  /// The end, whatever came before.
  case closed

  /// Whether data may be received.
  var receivesData: Bool {
    switch self {
    case .established, .shutdownPending, .shutdownSent: true
    default: false
    }
  }

  /// Whether data that is queued may be sent.
  var sendsData: Bool {
    switch self {
    case .established, .shutdownPending, .shutdownReceived: true
    default: false
    }
  }

  /// Whether acknowledgements mean something.
  var hasPeer: Bool {
    switch self {
    case .established, .shutdownPending, .shutdownSent, .shutdownReceived, .shutdownAckSent: true
    default: false
    }
  }

  /// Whether the user may queue messages: before the handshake is over too.
  var acceptsMessages: Bool {
    switch self {
    case .idle, .cookieWait, .cookieEchoed, .established: true
    default: false
    }
  }

  var isClosed: Bool {
    if case .closed = self { true } else { false }
  }
}

/// A timer that repeats something unanswered.
struct RepetitionTimer {
  var deadline: Instant?
  var attempts = 0
  var interval: Interval = .zero

  mutating func start(_ interval: Interval, at now: Instant) {
    self.interval = interval
    attempts = 0
    deadline = now + interval
  }

  /// Starts the next, doubled, interval.
  mutating func backOff(limit: Interval, at now: Instant) {
    attempts += 1
    interval = min(limit, interval + interval)
    deadline = now + interval
  }

  mutating func stop() {
    deadline = nil
  }

  func isDue(at now: Instant) -> Bool {
    guard let deadline else { return false }
    return deadline <= now
  }
}
