import ICE
import Media
import PeerConnection

/// Whether a TURN server relays, found out as a session does it: by gathering a relayed candidate from it.
enum RelayCheck {
  private static let patience = Duration.seconds(10)

  static func check(_ server: ICEServer, _ uri: ICEServerURI) async -> Finding {
    let name = "turn server"
    let notes: [String]
    do {
      let (isRelayed, heard) = try await gather(server)
      let way = uri.scheme.isSecure ? "TLS" : uri.transport == .tcp ? "TCP" : "UDP"
      if isRelayed { return Finding(name, .ok, "\(uri) relays, reached over \(way)") }
      notes = heard
    } catch {
      return Finding(name, .broken, "\(uri) cannot be asked: \(error)")
    }
    if notes.contains(where: { $0.contains("401") }) {
      return Finding(
        name, .broken,
        "\(uri) answers, and refuses the credentials. Give --username, and the password in REACTOR_TURN_PASSWORD"
      )
    }
    let silence =
      notes.isEmpty
      ? "\(uri) does not answer within \(patience.components.seconds) s" : notes.joined(separator: "; ")
    let advice =
      uri.transport == .udp ? "try it with ?transport=tcp" : "its port may be closed to this network"
    return Finding(name, .broken, "\(silence): \(advice)")
  }

  /// Whether a relayed candidate came, and what the agent said about those that did not.
  private static func gather(_ server: ICEServer) async throws -> (isRelayed: Bool, notes: [String]) {
    var configuration = LiveConnectionConfiguration()
    configuration.connection.relayOnly = true
    // A server on this machine is reached from loopback.
    configuration.driver.includesLoopback = true
    let loop = try NetworkLoop(name: "doctor-network")
    let frameThreads = FrameThreads(name: "doctor-frames")
    let (events, sink) = AsyncStream.makeStream(of: LiveConnectionEvent.self)
    let connection = LiveConnection(configuration: configuration, loop: loop, frameThreads: frameThreads) {
      event in
      sink.yield(event)
    }
    defer {
      frameThreads.close()
      loop.stop()
    }
    _ = try await connection.offer([], channels: [LiveChannel("doctor")], servers: [server])
    let clock = Task {
      try await Task.sleep(for: patience)
      sink.finish()
    }
    defer { clock.cancel() }
    var isRelayed = false
    var notes: [String] = []
    // The end of candidates is no end here: a server that is slow to refuse does so after it.
    for await event in events {
      switch event {
      case .localCandidate(let text, _, _): isRelayed = text.contains(" typ relay")
      case .note(let text): notes.append(text)
      case .stateChanged, .endOfCandidates, .channelOpened, .message, .channelClosed: break
      }
      if isRelayed || !notes.isEmpty { break }
    }
    await connection.close()
    return (isRelayed, notes)
  }
}
