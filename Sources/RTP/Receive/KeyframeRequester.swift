import WireFormat

/// When to ask for a keyframe: one request at a time, repeated until a keyframe comes.
///
/// Requests are spaced by the round trip and back off, so that a slow or deaf sender is not flooded: each
/// keyframe costs many times a delta frame, and the loss that it causes would ask for the next.
package struct KeyframeRequester: Sendable {
  private enum State {
    case idle
    /// Needed; the next request may go out at `due`.
    case needed(due: Instant, repeats: Int)
  }

  package var roundTripTime = Interval.milliseconds(100)
  package private(set) var requestCount: UInt64 = 0
  private var state = State.idle
  private var lastRequest: Instant?

  private static let shortestSpacing = Interval.milliseconds(100)
  private static let longestSpacing = Interval.seconds(1)
  /// A big keyframe takes its time over a slow link.
  private static let arrivalGrace = Interval.milliseconds(300)

  package init() {}

  package var isNeeded: Bool {
    if case .needed = state { true } else { false }
  }

  package var nextTimeout: Instant? {
    if case .needed(let due, _) = state { due } else { nil }
  }

  /// Asks for a keyframe, unless that is under way.
  ///
  /// - Parameter patience: how long one that may be on its way already is waited for.
  package mutating func need(at now: Instant, patience: Interval = .zero) {
    guard case .idle = state else { return }
    let earliest = lastRequest.map { $0 + spacing(repeats: 0) } ?? now
    state = .needed(due: max(now + patience, earliest), repeats: 0)
  }

  /// A keyframe's first packet came: the request was heard, the rest needs time.
  package mutating func keyframeBegins(at now: Instant) {
    guard case .needed(let due, let repeats) = state else { return }
    state = .needed(due: max(due, now + max(KeyframeRequester.arrivalGrace, roundTripTime)), repeats: repeats)
  }

  /// A keyframe is whole: nothing more to ask for.
  package mutating func keyframeArrived() {
    state = .idle
  }

  /// Whether a request is to be sent now; counts it as sent.
  package mutating func takeRequest(at now: Instant) -> Bool {
    guard case .needed(let due, let repeats) = state, due <= now else { return false }
    state = .needed(due: now + spacing(repeats: repeats), repeats: repeats + 1)
    lastRequest = now
    requestCount &+= 1
    return true
  }

  private func spacing(repeats: Int) -> Interval {
    let base = max(KeyframeRequester.shortestSpacing, roundTripTime * 1.5)
    return min(max(KeyframeRequester.longestSpacing, base), base * Int64(1 << min(repeats, 4)))
  }
}
