import WireFormat

/// When a request over UDP is sent again (RFC 8489 section 6.2.1): intervals double, and the last
/// transmission is followed by a longer wait.
struct RetransmissionSchedule {
  private(set) var firstSent: Instant
  private(set) var sent = 1
  /// When to send again or give up.
  private(set) var next: Instant
  private let timeout: Interval
  private var interval: Interval
  private let transmissions: Int
  private let lastWait: Int

  init(sentAt now: Instant, timeout: Interval, transmissions: Int, lastWait: Int) {
    firstSent = now
    self.timeout = timeout
    interval = timeout
    self.transmissions = max(1, transmissions)
    self.lastWait = lastWait
    next = now + (transmissions <= 1 ? timeout * Int64(lastWait) : timeout)
  }

  /// True: send again now. False: give up.
  mutating func expire(at now: Instant) -> Bool {
    guard sent < transmissions else { return false }
    sent += 1
    interval = interval * Int64(2)
    next = now + (sent == transmissions ? timeout * Int64(lastWait) : interval)
    return true
  }

  /// The time since the request left, unless it is not known which transmission was answered (Karn).
  func roundTrip(at now: Instant) -> Interval? {
    sent == 1 ? now - firstSent : nil
  }
}
