import Media
import PeerConnection
import Reactor
import ReactorWire
import Synchronization
import TestRecordings
import Testing

/// A runtime that repeats what a real one was recorded saying: HTTP without sockets, data channels on loopback.
final class ReplayRuntime: Sendable {
  struct Course: Sendable, CustomTestStringConvertible {
    let http: String
    let messages: String
    let generation: WireGeneration
    let url: String

    var testDescription: String { http }

    static let current = Course(
      http: "reactor/sdk-1.13_runtime-3.10/session/http.json",
      messages: "reactor/sdk-1.13_runtime-3.10/session/00.datachannel.jsonl", generation: .v1,
      url: "http://127.0.0.1:8090")
    static let old = Course(
      http: "reactor/sdk-0.8_runtime-2.10/http.json",
      messages: "reactor/sdk-0.8_runtime-2.10/00.datachannel.jsonl", generation: .v0,
      url: "http://localhost:8080")
  }

  let transport: ReplayTransport
  let url: String
  private let loop: NetworkLoop
  private let frameThreads = FrameThreads(name: "replay-frames")
  private let peers: PeerList

  private final class PeerList: Sendable {
    private let peers = Mutex<[ReplayPeer]>([])
    func add(_ peer: ReplayPeer) { peers.withLock { $0.append(peer) } }
    var all: [ReplayPeer] { peers.withLock { $0 } }
  }

  init(_ course: Course) throws {
    let loop = try NetworkLoop(name: "replay")
    let frameThreads = frameThreads
    let messages = RecordedMessage.load(course.messages)
    let peers = PeerList()
    self.loop = loop
    self.peers = peers
    url = course.url
    transport = ReplayTransport(try RecordedExchange.load(course.http)) { offer, names in
      let peer = ReplayPeer(messages, course.generation, loop: loop, frameThreads: frameThreads)
      peers.add(peer)
      return try await peer.answer(offer, names: names)
    }
  }

  func client() throws -> Reactor {
    var configuration = ReactorConfiguration()
    configuration.apiURL = url
    configuration.local = true
    configuration.http = transport
    return try Reactor(model: "reactor/peer", tokens: nil, configuration: configuration)
  }

  /// Ends it. What was asked and not recorded is a failure.
  func stop() async {
    for peer in peers.all { #expect(await peer.close() == []) }
    #expect(transport.unanswered == [])
    frameThreads.close()
    loop.stop()
  }
}
