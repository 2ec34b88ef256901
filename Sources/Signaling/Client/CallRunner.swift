#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import ReactorTypes
import WireFormat

/// Carries out calls: token, headers, attempts, waits, deadline, body.
struct CallRunner: Sendable {
  let transport: any HTTPTransport
  let tokens: (any TokenStore)?
  let fallbackToken: String?
  let isLocal: Bool
  let defaults: RequestOptions
  let clock: any SignalingClock
  let gate: Gate
  let random: RandomSource

  /// How much of a failed answer's body is read; longer ones are cut and not parsed.
  static let maxErrorBody = 64 << 10
  private static let reserved: Set<String> = ["authorization", "reactor-api-key", "content-length", "host"]

  /// The answer of `call`, which is a success.
  func run(_ call: Call) async throws(SignalingError) -> Answer {
    try await attempts(of: call) { request, timeout, secrets throws(AttemptFailure) in
      guard call.outlivesCaller else {
        return try await exchange(call, request, timeout: timeout, secrets: secrets)
      }
      return try await outliving(call, request, timeout: timeout, secrets: secrets)
    }
  }

  /// How much longer than its cancelled caller an attempt may take that makes something on the server.
  static let cancellationGrace = Interval.seconds(2)

  /// An attempt whose answer is wanted although the caller is cancelled: without it nobody could undo what the
  /// server made of the request.
  private func outliving(
    _ call: Call, _ request: HTTPRequest, timeout: Duration, secrets: [String]
  ) async throws(AttemptFailure) -> Answer {
    let attempt = Task { () -> Result<Answer, AttemptFailure> in
      do throws(AttemptFailure) {
        return .success(try await exchange(call, request, timeout: timeout, secrets: secrets))
      } catch {
        return .failure(error)
      }
    }
    let result = await withTaskCancellationHandler {
      await attempt.value
    } onCancel: { [clock] in
      Task {
        try? await clock.sleep(until: clock.now() + CallRunner.cancellationGrace)
        attempt.cancel()
      }
    }
    return try result.get()
  }

  /// The head of a success, and its body as a stream that nobody has read yet.
  func open(_ call: Call) async throws(SignalingError) -> (HTTPResponse, StreamScope<Data>) {
    try await attempts(of: call) { request, timeout, secrets throws(AttemptFailure) in
      let (head, body) = try await head(request, timeout: timeout)
      guard head.isSuccess else { throw try await refusal(call.step, head, body, secrets: secrets) }
      return (head, body)
    }
  }

  /// Sends a file as the body.
  func upload(_ call: Call, file: URL) async throws(SignalingError) {
    try await attempts(of: call) { request, timeout, secrets throws(AttemptFailure) in
      let head: HTTPResponse
      do {
        head = try await transport.upload(request, file: file, timeout: timeout)
      } catch {
        throw AttemptFailure(error)
      }
      guard head.isSuccess else {
        throw .answered(
          head.status, CallRunner.retryAfter(head), SignalingError(call.step, .status(head.status)))
      }
    }
  }

  // MARK: One attempt

  enum AttemptFailure: Error {
    case noAnswer(sent: Bool, SignalingError.Cause)
    case answered(Int, Interval?, SignalingError)
    /// Final, whatever the rule.
    case fatal(SignalingError.Cause)

    init(_ error: any Error) {
      switch error {
      case TransportFailure.cancelled, is CancellationError: self = .fatal(.cancelled)
      case TransportFailure.fileUnreadable: self = .fatal(.refused(TransportFailure.fileUnreadable.text))
      case TransportFailure.unsupportedURL: self = .fatal(.refused(TransportFailure.unsupportedURL.text))
      case let failure as TransportFailure:
        if case .timedOut(let sent) = failure {
          self = .noAnswer(sent: sent, .timedOut)
        } else {
          self = .noAnswer(sent: !failure.neverSent, .network(Redaction.redact(failure.text)))
        }
      case let error as ReactorError: self = .noAnswer(sent: true, .passed(error))
      default: self = .noAnswer(sent: true, .network(Redaction.redact("\(error)")))
      }
    }
  }

  private func head(
    _ request: HTTPRequest, timeout: Duration
  ) async throws(AttemptFailure) -> (HTTPResponse, StreamScope<Data>) {
    do {
      return try await transport.send(request, timeout: timeout)
    } catch {
      throw AttemptFailure(error)
    }
  }

  private func exchange(
    _ call: Call, _ request: HTTPRequest, timeout: Duration, secrets: [String]
  ) async throws(AttemptFailure) -> Answer {
    let (head, body) = try await head(request, timeout: timeout)
    defer { body.close() }
    guard head.isSuccess else { throw try await refusal(call.step, head, body, secrets: secrets) }
    var bytes: [UInt8] = []
    do {
      for try await chunk in body {
        guard bytes.count + chunk.count <= call.maxBody else {
          throw AttemptFailure.fatal(.tooLarge(limit: call.maxBody))
        }
        bytes.append(contentsOf: chunk)
      }
    } catch let failure as AttemptFailure {
      throw failure
    } catch {
      throw AttemptFailure(error)
    }
    // A stream that ends because its task was cancelled looks like a short body.
    if Task.isCancelled { throw .fatal(.cancelled) }
    return Answer(status: head.status, head: head, body: bytes)
  }

  private func refusal(
    _ step: SignalingStep, _ head: HTTPResponse, _ body: StreamScope<Data>, secrets: [String]
  ) async throws(AttemptFailure) -> AttemptFailure {
    defer { body.close() }
    var bytes: [UInt8] = []
    var isWhole = true
    do {
      for try await chunk in body {
        bytes.append(contentsOf: chunk.prefix(CallRunner.maxErrorBody + 1 - bytes.count))
        if bytes.count > CallRunner.maxErrorBody {
          isWhole = false
          break
        }
      }
    } catch {
      // The status is what counts; a body cut short only loses its text.
      isWhole = false
    }
    if Task.isCancelled { throw .fatal(.cancelled) }
    let json = isWhole ? try? JSONValue(parsing: bytes) : nil
    let clean = json.map { Redaction.redact($0, secrets: secrets) }
    let detail = ErrorDetail.line(json: clean, text: bytes, secrets: secrets)
    let wait = CallRunner.retryAfter(head)
    return .answered(
      head.status, wait,
      SignalingError(
        step, .status(head.status), retryAfterMS: wait.map { $0.inMilliseconds.rounded() }, body: clean,
        detail: detail))
  }

  /// `Retry-After` in whole seconds; a date is ignored.
  static func retryAfter(_ head: HTTPResponse) -> Interval? {
    guard let text = head.header("retry-after"), let seconds = UInt32(text) else { return nil }
    return .seconds(Int64(seconds))
  }

  // MARK: All attempts

  private func attempts<Success: Sendable>(
    of call: Call,
    _ attempt: (HTTPRequest, Duration, [String]) async throws(AttemptFailure) -> Success
  ) async throws(SignalingError) -> Success {
    var options = call.options.merged(over: defaults)
    if call.isForeign { options.headers = [:] }
    // Members are for bodies of the platform's own calls.
    if call.json == nil { options.extraBody = [:] }
    let base = try request(for: call, options)
    let deadline = options.deadline.map { clock.now() + Interval($0) }
    var machine = RetryMachine(policy: options.retry ?? RetryPolicy(), rule: call.rule, random: random)
    var hasRenewedToken = false
    var renewed: String?
    while true {
      try await passage(call.step, deadline)
      var request = base
      let token: String?
      if let fresh = renewed { token = fresh } else { token = try await self.token(for: call) }
      renewed = nil
      if let token { request.headers["Authorization"] = "Bearer \(token)" }
      let secrets = [token, call.apiKey].compactMap { $0 }
      let timeout = try timeout(options, call, deadline)
      let failure: AttemptFailure
      do {
        return try await attempt(request, timeout, secrets)
      } catch let thrown {
        failure = thrown
      }
      let outcome: RetryMachine.Outcome
      let error: SignalingError
      switch failure {
      case .fatal(let cause): throw SignalingError(call.step, cause)
      case .noAnswer(let sent, let cause):
        outcome = .noAnswer(sent: sent)
        error = SignalingError(call.step, cause)
      case .answered(401, _, let refusal) where !hasRenewedToken:
        guard let token, case .token(let context) = call.authorization, let tokens else { throw refusal }
        // Renewing is no attempt: the server never looked at the request.
        hasRenewedToken = true
        await tokens.invalidate(token, for: context)
        renewed = try await self.token(for: call)
        guard renewed != nil, renewed != token else { throw refusal }
        continue
      case .answered(let status, let retryAfter, let refusal):
        outcome = .answered(status: status, retryAfter: retryAfter)
        error = refusal
      }
      guard case .retry(let wait) = machine.attemptFailed(outcome) else { throw error }
      do {
        try await gate.pause(wait, deadline: deadline)
      } catch .deadlinePassed {
        // The last answer says more than that time ran out.
        throw error
      } catch {
        throw SignalingError(call.step, .cancelled)
      }
    }
  }

  private func passage(_ step: SignalingStep, _ deadline: Instant?) async throws(SignalingError) {
    do {
      try await gate.passage(deadline: deadline)
    } catch .deadlinePassed {
      throw SignalingError(step, .timedOut)
    } catch {
      throw SignalingError(step, .cancelled)
    }
    if Task.isCancelled { throw SignalingError(step, .cancelled) }
  }

  private func timeout(
    _ options: RequestOptions, _ call: Call, _ deadline: Instant?
  ) throws(SignalingError) -> Duration {
    let own = options.timeout ?? call.defaultTimeout
    guard let deadline else { return own }
    let left = deadline - clock.now()
    guard left > .zero else { throw SignalingError(call.step, .timedOut) }
    return min(own, Duration(left))
  }

  private func token(for call: Call) async throws(SignalingError) -> String? {
    guard case .token(let context) = call.authorization, !isLocal else { return nil }
    guard let tokens else { return fallbackToken }
    do {
      return try await tokens.token(for: context) ?? fallbackToken
    } catch let error as ReactorError {
      throw SignalingError(call.step, .passed(error))
    } catch is CancellationError {
      throw SignalingError(call.step, .cancelled)
    } catch {
      let text = "The token store failed: \(Redaction.redact("\(error)"))"
      throw SignalingError(call.step, .passed(ReactorError(.unauthorized, text)))
    }
  }

  private func request(for call: Call, _ options: RequestOptions) throws(SignalingError) -> HTTPRequest {
    var request = HTTPRequest(method: call.method, url: call.url)
    request.headers = call.headers
    for (name, value) in options.headers {
      let lower = name.lowercased()
      guard !CallRunner.reserved.contains(lower) else {
        throw SignalingError(call.step, .refused("the header \(name) cannot be set"))
      }
      guard CallRunner.isToken(name), CallRunner.isFieldValue(value) else {
        throw SignalingError(call.step, .refused("a header's name or value cannot be sent"))
      }
      for own in request.headers.keys where own.lowercased() == lower { request.headers[own] = nil }
      request.headers[name] = value
    }
    if let key = call.apiKey {
      guard CallRunner.isFieldValue(key) else {
        throw SignalingError(call.step, .refused("the API key holds characters that cannot be sent"))
      }
      request.headers["Reactor-API-Key"] = key
    }
    if call.method == "POST" {
      request.headers["Idempotency-Key"] = options.idempotencyKey ?? IdempotencyKey.random()
    }
    if let raw = call.raw {
      request.body = raw.bytes
      request.headers["Content-Type"] = raw.type
    } else if let json = call.json {
      request.body = Data(try body(json, options, call.step))
      request.headers["Content-Type"] = "application/json"
    }
    request.mayReplay = call.rule == .repeatable
    return request
  }

  private func body(
    _ json: JSONValue, _ options: RequestOptions, _ step: SignalingStep
  ) throws(SignalingError) -> [UInt8] {
    var json = json
    if !options.extraBody.isEmpty {
      guard var members = json == .null ? [:] : json.objectValue else {
        throw SignalingError(step, .refused("this request has no JSON object that extraBody could join"))
      }
      for (key, value) in options.extraBody {
        guard members[key] == nil else {
          throw SignalingError(step, .refused("extraBody: the request has a member \(key) of its own"))
        }
        members[key] = value
      }
      json = .object(members)
    }
    do {
      return try json.jsonBytes()
    } catch {
      throw SignalingError(step, .refused("the body holds NaN, infinity or too deeply nested values"))
    }
  }

  // RFC 9110 section 5: what may stand in a field's name and value. A line break would start another field.
  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  static func isFieldValue(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }
}

extension Call {
  var apiKey: String? {
    if case .apiKey(let key) = authorization { key } else { nil }
  }
}
