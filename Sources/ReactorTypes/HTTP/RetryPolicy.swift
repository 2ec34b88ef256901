/// How often and how fast a failed HTTP call is tried again.
///
/// Tried again are calls without an answer and those answered 408, 429, 500, 502, 503 or 504; a `Retry-After` in
/// seconds is a floor of the wait, clamped to ``maxDelay``.
public struct RetryPolicy: Sendable, Hashable {
  /// Attempts in all, the first one included.
  public var maxAttempts: Int
  /// The wait after the first attempt.
  public var initialDelay: Duration
  /// By how much each wait is longer than the one before.
  public var multiplier: Double
  /// The longest wait.
  public var maxDelay: Duration
  /// The share of a wait that is random, 0…1.
  public var jitter: Double

  /// 3 attempts, 200 ms doubling up to 10 s, half of it random.
  public init() {
    maxAttempts = 3
    initialDelay = .milliseconds(200)
    multiplier = 2
    maxDelay = .seconds(10)
    jitter = 0.5
  }

  /// One attempt only.
  public static let none: RetryPolicy = {
    var policy = RetryPolicy()
    policy.maxAttempts = 1
    return policy
  }()
}
