/// What one HTTP call, or all of them, should do differently.
public struct RequestOptions: Sendable {
  /// Further header fields. `Authorization`, `Reactor-API-Key`, `Content-Length` and `Host` are refused.
  public var headers: [String: String]
  /// The limit of one attempt, up to the head of the answer. nil: 30 s.
  public var timeout: Duration?
  /// The limit of all attempts and waits together. nil: none.
  public var deadline: Duration?
  /// nil: the default policy.
  public var retry: RetryPolicy?
  /// The `Idempotency-Key` of a POST, the same for all its attempts. nil: a random one a call.
  public var idempotencyKey: String?
  /// Members added to a JSON body; one that the SDK sends itself is refused.
  public var extraBody: [String: JSONValue]

  /// Everything at its default.
  public init() {
    headers = [:]
    timeout = nil
    deadline = nil
    retry = nil
    idempotencyKey = nil
    extraBody = [:]
  }

  /// These options where they say something, `defaults` elsewhere; headers and members are joined.
  package func merged(over defaults: RequestOptions) -> RequestOptions {
    var result = self
    result.headers = defaults.headers.merging(headers) { _, own in own }
    result.timeout = timeout ?? defaults.timeout
    result.deadline = deadline ?? defaults.deadline
    result.retry = retry ?? defaults.retry
    result.idempotencyKey = idempotencyKey ?? defaults.idempotencyKey
    result.extraBody = defaults.extraBody.merging(extraBody) { _, own in own }
    return result
  }
}
