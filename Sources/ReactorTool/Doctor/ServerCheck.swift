import ICE
import Media
import PeerConnection

/// Whether a STUN or TURN server answers, found out as a session does it: by gathering candidates from it.
enum ServerCheck {
  /// What the tool asks when nothing else is named: whether any UDP gets out and back.
  static let publicServer = "stun:stun.l.google.com:19302"

  private static let patience = Duration.seconds(10)

  /// What came of the gathering.
  private struct Outcome {
    var reflexive: String?
    var isRelayed = false
    var isComplete = false
    var notes: [String] = []
  }

  static func check(_ server: ICEServer, _ uri: ICEServerURI) async -> Finding {
    let name = uri.scheme.isTURN ? "turn server" : "stun server"
    do {
      let outcome = try await gather(server, needsRelay: uri.scheme.isTURN)
      return uri.scheme.isTURN ? relayFinding(name, uri, outcome) : reflexiveFinding(name, uri, outcome)
    } catch {
      return Finding(name, .broken, "\(uri) cannot be asked: \(error)")
    }
  }

  private static func gather(_ server: ICEServer, needsRelay: Bool) async throws -> Outcome {
    var configuration = LiveConnectionConfiguration()
    configuration.connection.iceServers = [server]
    configuration.connection.relayOnly = needsRelay
    // A server on this machine is reached from loopback.
    configuration.driver.includesLoopback = true
    let loop = try NetworkLoop(name: "doctor-network")
    let delivery = DeliveryThread(name: "doctor-frames")
    let (events, sink) = AsyncStream.makeStream(of: LiveConnectionEvent.self)
    let connection = LiveConnection(configuration: configuration, loop: loop, delivery: delivery) { event in
      sink.yield(event)
    }
    defer {
      delivery.close()
      loop.stop()
    }
    _ = try await connection.offer([], channels: ["doctor"])
    let clock = Task {
      try await Task.sleep(for: patience)
      sink.finish()
    }
    defer { clock.cancel() }
    var outcome = Outcome()
    for await event in events {
      switch event {
      case .localCandidate(let text, _, _):
        let fields = text.split(separator: " ")
        if text.contains(" typ relay") { outcome.isRelayed = true }
        if text.contains(" typ srflx"), fields.count > 4 { outcome.reflexive = String(fields[4]) }
      case .note(let text): outcome.notes.append(text)
      case .endOfCandidates: outcome.isComplete = true
      case .stateChanged, .channelOpened, .message, .channelClosed: break
      }
      if outcome.isComplete || (needsRelay ? outcome.isRelayed : outcome.reflexive != nil) { break }
    }
    await connection.close()
    return outcome
  }

  private static func reflexiveFinding(_ name: String, _ uri: ICEServerURI, _ outcome: Outcome) -> Finding {
    if let address = outcome.reflexive {
      return Finding(name, .ok, "\(uri) answers; it sees this machine as \(address)")
    }
    // Without an address translator the server sees an address that is known already: no candidate comes of it.
    if outcome.isComplete, outcome.notes.isEmpty {
      return Finding(name, .ok, "\(uri) answers; there is no address translator on the way")
    }
    return Finding(
      name, .broken, "\(silence(uri, outcome)). Sessions then need a TURN server that takes TCP or TLS")
  }

  private static func relayFinding(_ name: String, _ uri: ICEServerURI, _ outcome: Outcome) -> Finding {
    let way = uri.scheme.isSecure ? "TLS" : uri.transport == .tcp ? "TCP" : "UDP"
    if outcome.isRelayed { return Finding(name, .ok, "\(uri) relays, reached over \(way)") }
    if outcome.notes.contains(where: { $0.contains("401") }) {
      return Finding(
        name, .broken,
        "\(uri) answers, and refuses the credentials. Give --username, and the password in REACTOR_TURN_PASSWORD"
      )
    }
    let advice =
      uri.transport == .udp ? "try it with ?transport=tcp" : "its port may be closed to this network"
    return Finding(name, .broken, "\(silence(uri, outcome)): \(advice)")
  }

  private static func silence(_ uri: ICEServerURI, _ outcome: Outcome) -> String {
    outcome.notes.isEmpty
      ? "\(uri) does not answer within \(patience.components.seconds) s"
      : outcome.notes.joined(separator: "; ")
  }
}
