import Media
import PeerConnection
import Synchronization
import Testing

/// Real interfaces that come and go, in network namespaces of their own.
@Suite(
  .serialized,
  .enabled(if: NetworkNamespace.isAvailable, "network namespaces take root and iproute2 (the ip tool)"))
struct NetworkNamespaceTests {
  @Test func `the watcher tells when an address comes and goes`() async throws {
    try await NetworkNamespace.run {
      let reports = Mutex<[Bool]>([])
      let watcher = NetworkPathWatcher { paths in reports.withLock { $0.append(paths.isOnline) } }
      defer { withExtendedLifetime(watcher) {} }
      #expect(watcher != nil)
      #expect(NetworkNamespace.eventually { reports.withLock { $0 } == [false] })
      try NetworkNamespace.ip("link add v0 type veth peer name v1")
      try NetworkNamespace.ip("link set v1 up")
      try NetworkNamespace.ip("link set v0 up")
      try NetworkNamespace.ip("addr add 192.0.2.7/24 dev v0")
      #expect(NetworkNamespace.eventually { reports.withLock { $0.last } == true })
      try NetworkNamespace.ip("addr del 192.0.2.7/24 dev v0")
      #expect(NetworkNamespace.eventually { reports.withLock { $0.last } == false })
    }
  }

  @Test func `a connection offers an address that comes later, and one that comes back`() async throws {
    try await NetworkNamespace.run {
      let loop = try NetworkLoop(name: "namespace")
      let candidates = Mutex<[String]>([])
      let live = LiveConnection(
        configuration: LiveConnectionConfiguration(), loop: loop, frameThreads: FrameThreads(name: "none")
      ) { event in
        if case .localCandidate(let text, _, _) = event { candidates.withLock { $0.append(text) } }
      }
      let isOffering = Atomic(false)
      loop.submit {
        live.assumeIsolated { live in
          _ = try? live.offer(
            [LiveTrack(name: "main_video", kind: .video, isSending: false)], channels: [LiveChannel("data")])
        }
        isOffering.store(true, ordering: .releasing)
      }
      // An address that is there before stands in the offer itself.
      #expect(NetworkNamespace.eventually { isOffering.load(ordering: .acquiring) })
      func offered(_ address: String) -> Int {
        candidates.withLock { list in list.count { $0.contains(" \(address) ") } }
      }
      try NetworkNamespace.ip("link add v0 type veth peer name v1")
      try NetworkNamespace.ip("link set v1 up")
      try NetworkNamespace.ip("link set v0 up")
      try NetworkNamespace.ip("addr add 192.0.2.7/24 dev v0")
      #expect(NetworkNamespace.eventually { offered("192.0.2.7") == 1 })
      try NetworkNamespace.ip("addr add 192.0.2.8/24 dev v0")
      #expect(NetworkNamespace.eventually { offered("192.0.2.8") == 1 })
      #expect(offered("192.0.2.7") == 1, "what stayed is not offered again")
      try NetworkNamespace.ip("addr del 192.0.2.8/24 dev v0")
      // Once the next address is offered, the one before has been seen to be gone.
      try NetworkNamespace.ip("addr add 192.0.2.9/24 dev v0")
      #expect(NetworkNamespace.eventually { offered("192.0.2.9") == 1 }, "\(candidates.withLock { $0 })")
      try NetworkNamespace.ip("addr add 192.0.2.8/24 dev v0")
      #expect(NetworkNamespace.eventually { offered("192.0.2.8") == 2 })
      loop.submit { live.closeSoon() }
      loop.stop()
    }
  }

  @Test func `a second connection of a loop offers the addresses of its own moment`() async throws {
    try await NetworkNamespace.run {
      let loop = try NetworkLoop(name: "namespace")
      /// The offer of a new connection, made in one turn of the loop: no event comes in between.
      func offer(after change: @escaping @Sendable () throws -> Void) -> String {
        let live = LiveConnection(
          configuration: LiveConnectionConfiguration(), loop: loop, frameThreads: FrameThreads(name: "none")
        ) { _ in }
        let made = Monitor<String?>(nil)
        loop.submit {
          let sdp = live.assumeIsolated { live -> String in
            do {
              try change()
              let offer = try live.offer([], channels: [LiveChannel("data")])
              live.close()
              return offer.sdp
            } catch {
              return "\(error)"
            }
          }
          made.withLock { $0 = sdp }
          made.notifyAll()
        }
        return made.wait { $0.map { .done($0) } ?? .sleep(until: .distantFuture) }
      }
      let first = offer {
        try NetworkNamespace.ip("link add v0 type veth peer name v1")
        try NetworkNamespace.ip("link set v1 up")
        try NetworkNamespace.ip("link set v0 up")
        try NetworkNamespace.ip("addr add 192.0.2.7/24 dev v0")
      }
      #expect(first.contains(" 192.0.2.7 "), "\(first)")
      #expect(offer {}.contains(" 192.0.2.7 "))
      let third = offer { try NetworkNamespace.ip("addr add 192.0.2.8/24 dev v0") }
      #expect(third.contains(" 192.0.2.7 ") && third.contains(" 192.0.2.8 "), "\(third)")
      let fourth = offer { try NetworkNamespace.ip("addr del 192.0.2.7/24 dev v0") }
      #expect(!fourth.contains(" 192.0.2.7 "), "\(fourth)")
      loop.stop()
    }
  }
}
