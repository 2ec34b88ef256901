import Foundation
import ICE
import TestSupport
import Testing
import WireFormat

#if canImport(Glibc)
  import Glibc

  /// Against aioice, an independent agent. `Interop/aioice/run` sets this up.
  @Suite(
    .enabled(
      if: AioicePeer.installedPython != nil, "REACTOR_AIOICE_PYTHON is not set: run Interop/aioice/run"),
    .serialized)
  struct AioiceTests {
    @Test(arguments: [ICERole.controlling, .controlled])
    func `connects with aioice, carries data and keeps consent`(_ role: ICERole) throws {
      let peer = try AioicePeer(
        python: AioicePeer.installedPython ?? "", role: role == .controlling ? "controlled" : "controlling")
      let (parameters, candidates) = try peer.readDescription()
      let host = try #require(candidates.compactMap(\.address).first { $0.isIPv4 })
      let driver = SocketDriver(configuration: ICEConfiguration(role: role))
      driver.open(on: host)
      driver.act { $0.gather(at: MonotonicClock.now()) }
      driver.act { $0.setRemoteParameters(parameters, at: MonotonicClock.now()) }
      for candidate in candidates {
        driver.act { $0.addRemoteCandidate(candidate, at: MonotonicClock.now()) }
      }
      driver.act { $0.endOfRemoteCandidates(at: MonotonicClock.now()) }
      peer.write(driver.agent.localParameters, driver.agent.localCandidates)
      let nominated = SocketDriver.run([driver], seconds: 15) {
        driver.agent.selectedPair?.isNominated == true
      }
      try #require(nominated, "\(driver.events)")
      #expect(driver.agent.role == role)
      for number in UInt8(0)..<20 {
        let payload: [UInt8] = [0x80, number, 1, 2, 3]
        // aioice only takes data once its own side is done.
        let echoed = (0..<10).contains { _ in
          driver.send(payload)
          return SocketDriver.run([driver], seconds: 0.5) { driver.received.last == payload }
        }
        #expect(echoed)
      }
      // Two consent intervals: both sides ask, both answer.
      _ = SocketDriver.run([driver], seconds: 11) { false }
      #expect(driver.agent.state == .completed)
      #expect(!driver.events.contains(.stateChanged(.disconnected)))
      let pair = try #require(driver.agent.statistics().first { $0.isSelected })
      #expect(pair.consentRequestsSent >= 2)
      #expect(pair.requestsReceived >= 2)
    }
  }

  /// `Interop/aioice/peer.py` and the pipes to it.
  final class AioicePeer {
    /// The interpreter that has aioice; nil: none was set up.
    static let installedPython = ProcessInfo.processInfo.environment["REACTOR_AIOICE_PYTHON"]

    private let process: ChildProcess
    private let input: FileHandle
    private let output: FileHandle

    struct Malformed: Error {
      let line: String
    }

    init(python: String, role: String) throws {
      let toChild = Pipe()
      let fromChild = Pipe()
      let script = Fixture.directory.deletingLastPathComponent().appending(path: "Interop/aioice/peer.py")
      process = try ChildProcess(
        python, [script.path, role], input: toChild.fileHandleForReading.fileDescriptor,
        output: fromChild.fileHandleForWriting.fileDescriptor)
      try? toChild.fileHandleForReading.close()
      try? fromChild.fileHandleForWriting.close()
      input = toChild.fileHandleForWriting
      output = fromChild.fileHandleForReading
    }

    func readDescription() throws -> (ICEParameters, [ICECandidate]) {
      var text = ""
      while !text.hasSuffix("end\n") {
        let data = output.availableData
        guard !data.isEmpty else { throw Malformed(line: text) }
        text += String(decoding: data, as: UTF8.self)
      }
      var parameters: ICEParameters?
      var candidates: [ICECandidate] = []
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        if words[0] == "param", words.count == 3 {
          parameters = ICEParameters(ufrag: words[1], password: words[2])
        } else if words[0] == "cand" {
          guard words.count >= 9, let priority = UInt32(words[4]), let port = UInt16(words[6]),
            let kind = ICECandidate.Kind(rawValue: words[8])
          else { throw Malformed(line: String(line)) }
          candidates.append(
            ICECandidate(
              foundation: words[1], priority: priority, address: IPAddress(words[5]), port: port, kind: kind))
        }
      }
      guard let parameters else { throw Malformed(line: text) }
      return (parameters, candidates)
    }

    func write(_ parameters: ICEParameters, _ candidates: [ICECandidate]) {
      var text = "param \(parameters.ufrag) \(parameters.password)\n"
      for candidate in candidates {
        guard let address = candidate.address else { continue }
        text +=
          "cand \(candidate.foundation) 1 udp \(candidate.priority) \(address) \(candidate.port) typ \(candidate.kind.rawValue)\n"
      }
      input.write(Data((text + "end\n").utf8))
    }
  }
#endif
