import Foundation
import ReactorTypes
import Signaling
import Testing
import WireFormat

@Suite struct RetryTests {
  private func waits(_ schedule: PollSchedule) -> [Int64] {
    var schedule = schedule
    var waits: [Int64] = []
    while let wait = schedule.nextWait() { waits.append(wait.wholeMilliseconds) }
    return waits
  }

  @Test func `polls start finer than documented, then go by the documented schedule`() {
    #expect(waits(.answer) == [10, 20, 40, 80, 200, 400, 800, 1600, 3200, 6400])
    let session = waits(.session)
    #expect(session.count == 24 && session.prefix(7) == [10, 20, 40, 80, 200, 400, 800])
    #expect(session.last == 10_000 && session.dropFirst(4).reduce(0, +) == 152_600)
  }

  @Test func `waits grow to their cap, with their share of chance`() {
    var policy = RetryPolicy()
    policy.maxAttempts = 10
    policy.jitter = 0
    var machine = RetryMachine(policy: policy, rule: .repeatable)
    var waits: [Int64] = []
    while case .retry(let wait) = machine.attemptFailed(.noAnswer(sent: true)) {
      waits.append(wait.wholeMilliseconds)
    }
    #expect(waits == [200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000])
    policy.jitter = 0.5
    for seed in 0..<100 {
      var machine = RetryMachine(policy: policy, rule: .repeatable, random: RandomSource(seed: UInt64(seed)))
      guard case .retry(let wait) = machine.attemptFailed(.noAnswer(sent: true)) else {
        Issue.record("gave up")
        return
      }
      #expect(wait >= .milliseconds(100) && wait <= .milliseconds(200))
    }
  }

  @Test(arguments: [408, 429, 500, 502, 503, 504]) func `transient statuses are tried again`(status: Int) {
    var machine = RetryMachine(policy: RetryPolicy(), rule: .repeatable)
    #expect(machine.attemptFailed(.answered(status: status, retryAfter: nil)) != .giveUp)
  }

  @Test(arguments: [301, 400, 401, 403, 404, 409, 410, 422, 426, 501, 505])
  func `other statuses are final`(status: Int) {
    var machine = RetryMachine(policy: RetryPolicy(), rule: .repeatable)
    #expect(machine.attemptFailed(.answered(status: status, retryAfter: .seconds(1))) == .giveUp)
  }

  @Test func `Retry-After is a floor, clamped to the longest wait`() {
    var policy = RetryPolicy()
    policy.maxDelay = .seconds(5)
    var machine = RetryMachine(policy: policy, rule: .repeatable)
    #expect(
      machine.attemptFailed(.answered(status: 429, retryAfter: .seconds(3))) == .retry(after: .seconds(3)))
    #expect(
      machine.attemptFailed(.answered(status: 429, retryAfter: .seconds(3600))) == .retry(after: .seconds(5)))
    #expect(
      machine.attemptFailed(.answered(status: 429, retryAfter: nil)) == .giveUp, "3 attempts by default")
  }

  @Test func `a session is created again only if the request never left or was turned away`() {
    func decide(_ outcome: RetryMachine.Outcome) -> Bool {
      var machine = RetryMachine(policy: RetryPolicy(), rule: .onlyIfUnsent)
      return machine.attemptFailed(outcome) != .giveUp
    }
    #expect(decide(.noAnswer(sent: false)) && decide(.answered(status: 429, retryAfter: nil)))
    #expect(decide(.answered(status: 503, retryAfter: nil)))
    #expect(!decide(.noAnswer(sent: true)) && !decide(.answered(status: 500, retryAfter: nil)))
    #expect(
      !decide(.answered(status: 502, retryAfter: nil)) && !decide(.answered(status: 408, retryAfter: nil)))
  }

  @Test func `a nonsensical policy neither traps nor spins`() {
    var policy = RetryPolicy()
    policy.maxAttempts = 50
    policy.initialDelay = .seconds(-1)
    policy.multiplier = .nan
    policy.jitter = .infinity
    policy.maxDelay = .seconds(Int64.max)
    var machine = RetryMachine(policy: policy, rule: .repeatable)
    for _ in 0..<60 { _ = machine.attemptFailed(.answered(status: 503, retryAfter: .seconds(Int64.max))) }
    var none = RetryMachine(policy: .none, rule: .repeatable)
    #expect(none.attemptFailed(.noAnswer(sent: false)) == .giveUp)
  }

  @Test func `attempts wait on the clock and stop at the deadline`() async throws {
    let clock = VirtualClock()
    let transport = StubTransport(clock: clock) { _, _ in .answer(503, "{}") }
    var options = RequestOptions()
    var policy = RetryPolicy()
    policy.jitter = 0
    policy.maxAttempts = 100
    options.retry = policy
    options.deadline = .milliseconds(1500)
    let client = try makeClient(transport, clock: clock)
    do {
      _ = try await client.iceServers(session: "s", options: options)
      Issue.record("succeeded")
    } catch {
      #expect(error.cause == .status(503), "the last answer says more than the deadline")
    }
    #expect(transport.moments.map(\.microseconds) == [0, 200_000, 600_000, 1_400_000])
  }

  @Test func `offline costs no attempt, coming back wakes the call`() async throws {
    let network = Switch(false)
    let transport = StubTransport { _, _ in .answer(200, #"{"ice_servers":[]}"#) }
    var options = RequestOptions()
    options.retry = RetryPolicy.none
    let client = try makeClient(transport, connectivity: network)
    let frozen = options
    let call = Task { try await client.iceServers(session: "s", options: frozen) }
    for await _ in network.subscribed.stream { break }
    #expect(transport.requests.isEmpty)
    network.set(true)
    #expect(try await call.value.isEmpty)
    #expect(transport.requests.count == 1)
  }

  @Test func `offline until the deadline is a timeout`() async throws {
    let transport = StubTransport { _, _ in .answer(200) }
    var options = RequestOptions()
    options.deadline = .seconds(5)
    let client = try makeClient(transport, connectivity: Switch(false))
    await #expect(throws: SignalingError(.iceServers, .timedOut)) {
      _ = try await client.iceServers(session: "s", options: options)
    }
    #expect(transport.requests.isEmpty)
  }

  @Test func `in the background waits stand still, and no attempt is made`() async throws {
    let app = Switch(false)
    let transport = StubTransport { _, number in
      number == 0 ? .answer(503) : .answer(200, #"{"ice_servers":[]}"#)
    }
    let client = try makeClient(transport, lifecycle: app)
    let call = Task { try await client.iceServers(session: "s") }
    for await _ in app.subscribed.stream { break }
    #expect(transport.requests.isEmpty)
    app.set(true)
    #expect(try await call.value.isEmpty)
    #expect(transport.requests.count == 2)
  }

  @Test func `cancelling a call ends its wait`() async throws {
    let clock = VirtualClock()
    clock.isFrozen.store(true, ordering: .relaxed)
    let asked = AsyncStream<Void>.makeStream()
    let transport = StubTransport { _, _ in
      asked.continuation.yield()
      return .answer(503)
    }
    let client = try makeClient(transport, clock: clock)
    let call = Task { try await client.iceServers(session: "s") }
    for await _ in asked.stream { break }
    call.cancel()
    await #expect(throws: SignalingError(.iceServers, .cancelled)) { _ = try await call.value }
  }
}
