import ReactorTypes
import WireFormat

/// Decides whether and when one call is tried again. Knows no clock and no network.
package struct RetryMachine: Sendable {
  /// What may be repeated.
  package enum Rule: Sendable {
    /// Sending it twice does no harm.
    case repeatable
    /// Only if it provably never left, or was answered 429 or 503: a second session would burn quota.
    case onlyIfUnsent
    /// Never.
    case never
  }

  /// How an attempt ended.
  package enum Outcome: Sendable {
    /// No answer. `sent`: whether it may have reached the server.
    case noAnswer(sent: Bool)
    case answered(status: Int, retryAfter: Interval?)
  }

  package enum Decision: Hashable, Sendable {
    case retry(after: Interval)
    case giveUp
  }

  private let policy: RetryPolicy
  private let rule: Rule
  private var random: RandomSource
  private var attempts = 0

  package init(policy: RetryPolicy, rule: Rule, random: RandomSource = .system) {
    self.policy = policy
    self.rule = rule
    self.random = random
  }

  /// An attempt failed. What it is used up for is counted here, so waits for the network cost none.
  package mutating func attemptFailed(_ outcome: Outcome) -> Decision {
    attempts += 1
    guard attempts < policy.maxAttempts, isRepeatable(outcome) else { return .giveUp }
    var wait = backoff()
    if case .answered(_, let retryAfter?) = outcome {
      wait = max(wait, min(max(.zero, retryAfter), maxDelay))
    }
    return .retry(after: wait)
  }

  private func isRepeatable(_ outcome: Outcome) -> Bool {
    switch (rule, outcome) {
    case (.never, _): false
    case (.repeatable, .noAnswer): true
    case (.repeatable, .answered(let status, _)): RetryMachine.transientStatuses.contains(status)
    case (.onlyIfUnsent, .noAnswer(let sent)): !sent
    case (.onlyIfUnsent, .answered(let status, _)): status == 429 || status == 503
    }
  }

  private static let transientStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]

  private var maxDelay: Interval { max(.zero, Interval(policy.maxDelay)) }

  // Grows by the multiplier; a policy's nonsense (negative, NaN) becomes the nearest sense.
  private mutating func backoff() -> Interval {
    let multiplier = policy.multiplier.isFinite ? max(1, policy.multiplier) : 1
    var wait = max(.zero, Interval(policy.initialDelay))
    for _ in 1..<max(1, min(attempts, 64)) where wait < maxDelay { wait = wait * multiplier }
    wait = min(wait, maxDelay)
    let jitter = policy.jitter.isFinite ? min(max(policy.jitter, 0), 1) : 0
    return wait * (1 - jitter * random.unit())
  }
}
