import WireFormat

/// When the handshake's flight goes out again, on our clock.
///
/// OpenSSL keeps a deadline of its own on the wall clock. ``DatagramBIO`` moves it out of reach, so that only
/// this timer counts. A library that does not let its deadline be moved (3.2 and later hand out a copy) is
/// recognised by the time that it has left, and is then asked instead of told. See docs/dtls.md.
struct HandshakeTimer {
  private(set) var deadline: Instant?

  func isDue(at now: Instant) -> Bool {
    deadline.map { $0 <= now } ?? false
  }

  mutating func cancel() {
    deadline = nil
  }

  /// Follows what the library did in a call: its timer stopped, started, or started anew.
  mutating func update(bio: DatagramBIO, session: OpenSSLSession?, at now: Instant) {
    guard let session, bio.isTimerSet else { return cancel() }
    guard bio.takeTimerChange() else { return }
    rearm(bio: bio, session: session, at: now)
  }

  /// Starts the wait for an answer again.
  mutating func rearm(bio: DatagramBIO, session: OpenSSLSession?, at now: Instant) {
    guard let session, bio.isTimerSet, let wait = session.timeUntilRetransmission else { return cancel() }
    _ = bio.takeTimerChange()
    deadline = now + wait
  }
}
