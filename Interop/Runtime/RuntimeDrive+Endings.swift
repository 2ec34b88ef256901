import Foundation
import Reactor

/// How a session ends that the client does not end.
extension RuntimeDrive {
  /// Waits until the runtime has cleaned up after the session before: until then it starts none (409).
  private func available() async throws {
    let ready = try await eventually(.seconds(15)) {
      try output(of: "curl", ["-fsS", "\(url)/session"]).lowercased().contains("\"state\":\"ready\"")
    }
    try expect(ready, "the runtime does not get ready again")
  }

  func stopped() async throws -> String {
    try await available()
    let (reactor, observer) = try client()
    try await reactor.connect()
    _ = try output(
      of: "curl",
      [
        "-fsS", "-X", "POST", "-H", "Content-Type: application/json", "-d", "{\"reason\": \"maintenance\"}",
        "\(url)/stop_session",
      ])
    let left = await eventually(.seconds(10)) { reactor.status == .disconnected && !observer.errors.isEmpty }
    try expect(left, "the client is \(reactor.status), errors \(observer.errors)")
    if generation == .current {
      let notice = observer.notices.first { $0["type"] == "sessionEnded" }
      try expect(notice?["data"]?["reason"] == "maintenance", "notices \(observer.notices)")
    }
    reactor.close()
    return "\(observer.errors.map(\.message))"
  }

  func killed(_ processGroup: pid_t) async throws -> String {
    try await available()
    let (reactor, observer) = try client()
    try await reactor.connect()
    let flow = await eventually(.seconds(10)) { observer.pictureCount > 5 }
    try expect(flow, "no frames before it")
    let began = ContinuousClock.now
    try expect(kill(-processGroup, SIGKILL) == 0, "it cannot be killed")
    let left = await eventually(.seconds(15)) { reactor.status == .disconnected && !observer.errors.isEmpty }
    try expect(left, "the client is \(reactor.status), errors \(observer.errors)")
    let took = ContinuousClock.now - began
    try expect(observer.errors.first?.code == .disconnected, "\(observer.errors)")
    try expect(took < .seconds(10), "it took \(took)")
    try expect(reactor.sessionID != nil, "the session is forgotten")
    reactor.close()
    return
      "noticed after \(took.formatted(.time(pattern: .minuteSecond(padMinuteToLength: 1, fractionalSecondsLength: 1))))"
  }
}
