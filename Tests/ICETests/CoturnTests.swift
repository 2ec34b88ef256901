import Foundation
import ICE
import TestSupport
import Testing
import WireFormat

#if canImport(Glibc)
  /// Against a real server. It runs in seconds because the server is told to give short lifetimes.
  @Suite(.enabled(if: Coturn.isInstalled, "coturn is not installed (apt package coturn)"))
  struct CoturnTests {
    @Test(arguments: ["udp", "tcp", "tls"])
    func `relay to relay through coturn connects, carries data and outlives several refreshes`(
      _ transport: String
    ) throws {
      let lifetime = 3
      let server = try Coturn(lifetime: lifetime)
      let uri =
        switch transport {
        case "tcp": "turn:127.0.0.1:\(server.port)?transport=tcp"
        case "tls": "turns:127.0.0.1:\(server.tlsPort)"
        default: "turn:127.0.0.1:\(server.port)"
        }
      let left = try driver(uri, .controlling)
      let right = try driver("turn:127.0.0.1:\(server.port)", .controlled)
      let drivers = [left, right]
      left.onEvent = { [unowned right] event in
        if case .localCandidate(let candidate) = event {
          right.act { $0.addRemoteCandidate(candidate, at: MonotonicClock.now()) }
        }
      }
      right.onEvent = { [unowned left] event in
        if case .localCandidate(let candidate) = event {
          left.act { $0.addRemoteCandidate(candidate, at: MonotonicClock.now()) }
        }
      }
      let (ours, theirs) = (left.agent.localParameters, right.agent.localParameters)
      left.act { $0.setRemoteParameters(theirs, at: MonotonicClock.now()) }
      right.act { $0.setRemoteParameters(ours, at: MonotonicClock.now()) }
      for driver in drivers {
        driver.open()
        driver.act { $0.gather(at: MonotonicClock.now()) }
      }
      let nominated = SocketDriver.run(drivers, seconds: 20) {
        drivers.allSatisfy { $0.agent.selectedPair?.isNominated == true }
      }
      try #require(nominated, "\(left.events) \(server.log.suffix(3000))")
      #expect(left.agent.selectedPair?.local.kind == .relayed)
      #expect(right.agent.selectedPair?.local.kind == .relayed)

      // Three lifetimes and more, with data all the way.
      let end = MonotonicClock.now() + .seconds(Int64(lifetime) * 3)
      var sent = 0
      while MonotonicClock.now() < end {
        let payload: [UInt8] =
          [0x80, 0x60] + [UInt8](repeating: UInt8(truncatingIfNeeded: sent), count: 199 + sent % 4)
        sent += 1
        #expect(left.send(payload) && right.send(payload))
        let arrived = SocketDriver.run(drivers, seconds: 5) {
          left.received.last == payload && right.received.last == payload
        }
        try #require(
          arrived, "packet \(sent): \(left.agent.state) \(right.agent.state) \(server.log.suffix(2000))")
        _ = SocketDriver.run(drivers, seconds: 0.05) { false }
      }
      #expect(sent > 20)
      for driver in drivers {
        #expect(!driver.events.contains(.stateChanged(.disconnected)))
        driver.act { $0.close(at: MonotonicClock.now()) }
      }
    }

    @Test func `wrong credentials are refused by coturn and told`() throws {
      let server = try Coturn(lifetime: 60)
      let uri = try ICEServerURI("turn:127.0.0.1:\(server.port)")
      let client = SocketDriver(
        configuration: ICEConfiguration(
          role: .controlling, servers: [ICEServer(uris: [uri], username: "user", password: "wrong")]))
      client.open()
      client.act { $0.gather(at: MonotonicClock.now()) }
      let told = SocketDriver.run([client], seconds: 20) {
        client.events.contains {
          if case .serverUnreachable(let text) = $0 { text.contains("401") } else { false }
        }
      }
      #expect(told, "\(client.events)")
    }

    private func driver(_ uri: String, _ role: ICERole) throws -> SocketDriver {
      let server = ICEServer(uris: [try ICEServerURI(uri)], username: "user", password: "secret")
      return SocketDriver(configuration: ICEConfiguration(role: role, servers: [server], policy: .relay))
    }
  }
#endif
