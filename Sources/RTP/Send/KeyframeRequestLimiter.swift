import WireFormat

/// Decides which requests for a keyframe reach the encoder.
///
/// A peer that has lost pictures repeats its request; each answered one costs a frame many times the usual
/// size. So keyframes are spaced, more widely the greater their share of the bitrate would be. A request that
/// comes too early is remembered and answered when its time has come; one that a keyframe on its way already
/// answers is dropped.
package struct KeyframeRequestLimiter: Sendable {
  private static let shortestSpacing = Interval.milliseconds(600)
  private static let longestSpacing = Interval.seconds(3)
  /// Keyframes may take this share of the bitrate.
  private static let share = 0.4
  /// An encoder that has not answered by then is asked again.
  private static let patience = Interval.milliseconds(500)
  private static let answersInFlight = Interval.milliseconds(500)

  private var lastKeyframe: Instant?
  private var lastKeyframeBytes = 0
  private var askedAt: Instant?
  private var isPending = false
  private var fullIntraNumbers: [UInt32: UInt8] = [:]
  /// Sources whose FIR numbers are remembered.
  private static let sourceLimit = 16

  package init() {}

  /// A PLI has come. Returns whether the encoder is to be asked now.
  package mutating func handleRequest(roundTripTime: Interval, bitrate: Int, at now: Instant) -> Bool {
    if let last = lastKeyframe {
      // Sent before the peer can have seen that keyframe.
      guard now - last >= min(roundTripTime, KeyframeRequestLimiter.answersInFlight) else { return false }
    }
    isPending = true
    return handleTimeout(bitrate: bitrate, at: now)
  }

  /// A FIR has come (RFC 5104 section 4.3.1): a number that its source has used before is a repetition.
  package mutating func handleFullIntraRequest(
    from source: UInt32, number: UInt8, roundTripTime: Interval, bitrate: Int, at now: Instant
  ) -> Bool {
    guard fullIntraNumbers[source] != number else { return false }
    if fullIntraNumbers.count >= KeyframeRequestLimiter.sourceLimit { fullIntraNumbers.removeAll() }
    fullIntraNumbers[source] = number
    return handleRequest(roundTripTime: roundTripTime, bitrate: bitrate, at: now)
  }

  package mutating func handleKeyframe(bytes: Int, at now: Instant) {
    lastKeyframe = now
    lastKeyframeBytes = bytes
    askedAt = nil
    isPending = false
  }

  package func nextTimeout(bitrate: Int) -> Instant? {
    isPending ? dueTime(bitrate) : nil
  }

  /// Returns whether a remembered request is due.
  package mutating func handleTimeout(bitrate: Int, at now: Instant) -> Bool {
    guard isPending, now >= dueTime(bitrate) else { return false }
    askedAt = now
    return true
  }

  private func dueTime(_ bitrate: Int) -> Instant {
    var due = Instant.origin
    if let lastKeyframe {
      let cost = Double(lastKeyframeBytes) * 8 / (Double(max(1, bitrate)) * KeyframeRequestLimiter.share)
      let spacing = max(.seconds(cost), KeyframeRequestLimiter.shortestSpacing)
      due = lastKeyframe + min(spacing, KeyframeRequestLimiter.longestSpacing)
    }
    if let askedAt { due = max(due, askedAt + KeyframeRequestLimiter.patience) }
    return due
  }
}
