import Foundation
import ReactorTypes
import Signaling
import Synchronization
import Testing
import WireFormat

private let playlistText = """
  #EXTM3U
  #EXT-X-VERSION:7
  #EXT-X-TARGETDURATION:4
  #EXT-X-MAP:BYTERANGE="1,2",URI="init.mp4"
  #EXTINF:4.0,
  /clips/chunks/id/chunk_00001.m4s
  #EXTINF:4.0,
  https://cdn.test/x/chunk_00002.m4s?sig=1
  #EXT-X-ENDLIST

  """

private func clip(_ url: String = "/clips?session_id=e0&start=1&end=2", readyAt: Double? = nil) -> Clip {
  Clip(playlistURL: url, sessionID: "e0", kind: "snap", predictedReadyAtMS: readyAt, raw: [:])
}

@Suite struct PlaylistTests {
  private func parse(_ text: String) throws -> Playlist {
    try Playlist(text: text, base: HTTPURL.url("https://api.test/clips?session_id=e0"))
  }

  @Test func `init segment first, references resolved`() throws {
    let playlist = try parse(playlistText)
    #expect(playlist.hasInitSegment)
    #expect(
      playlist.segments.map(\.absoluteString) == [
        "https://api.test/init.mp4", "https://api.test/clips/chunks/id/chunk_00001.m4s",
        "https://cdn.test/x/chunk_00002.m4s?sig=1",
      ])
    #expect(try parse(playlistText.replacingOccurrences(of: "\n", with: "\r\n")) == playlist)
    #expect(try !parse("#EXTM3U\na.ts\n").hasInitSegment)
  }

  @Test func `what would make a broken file is refused`() {
    #expect(throws: Playlist.Failure.notAPlaylist) { try parse("<html>") }
    #expect(throws: Playlist.Failure.notAPlaylist) { try parse("") }
    #expect(throws: Playlist.Failure.noSegments) { try parse("#EXTM3U\n#EXT-X-MAP:URI=\"i.mp4\"\n") }
    #expect(throws: Playlist.Failure.noInitSegment) { try parse("#EXTM3U\na.m4s\n") }
    #expect(throws: Playlist.Failure.badURI) { try parse("#EXTM3U\n#EXT-X-MAP:URI=\"broken\na.m4s\n") }
    #expect(throws: Playlist.Failure.badURI) { try parse("#EXTM3U\nfile:///etc/passwd\n") }
    #expect(throws: Playlist.Failure.isMaster) {
      try parse("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nb.m3u8\n")
    }
    #expect(throws: Playlist.Failure.tooManySegments) {
      try parse("#EXTM3U\n" + String(repeating: "a.ts\n", count: 100_001))
    }
  }

  @Test func `mutated playlists never trap`() {
    for seed in 0..<3000 {
      var random = RandomSource(seed: UInt64(seed))
      var bytes = Array(playlistText.utf8)
      for _ in 0..<4 {
        let at = Int(random.uint32()) % bytes.count
        if random.uint32() & 1 == 0 {
          bytes.remove(at: at)
        } else {
          bytes[at] = UInt8(truncatingIfNeeded: random.next())
        }
      }
      _ = try? parse(String(decoding: bytes, as: UTF8.self))
    }
  }
}

@Suite struct ClipTests {
  private func transport(readyAfter: Int = 0, clock: VirtualClock? = nil) -> StubTransport {
    let polls = Atomic<Int>(0)
    return StubTransport(clock: clock) { request, _ in
      if request.url.path == "/clips" {
        let count = polls.wrappingAdd(1, ordering: .relaxed).oldValue
        return count < readyAfter ? .answer(202, "", ["Retry-After": "1"]) : .answer(200, playlistText)
      }
      return .answer(200, "<\(request.url.lastPathComponent)>")
    }
  }

  @Test func `the token goes to the coordinator alone`() async throws {
    let stub = transport()
    let download = try await makeClient(stub).openDownload(clip()) { true }
    #expect(download.segments == 3 && download.contentType == "video/mp4")
    let data = try await download.readAll(maxBytes: 1000)
    #expect(String(decoding: data, as: UTF8.self) == "<init.mp4><chunk_00001.m4s><chunk_00002.m4s>")
    #expect(stub.requests.map { $0.headers["Authorization"] != nil } == [true, true, true, false])
    #expect(stub.requests.last?.headers.isEmpty == true)
    let foreign = StubTransport { _, _ in .answer(410) }
    await #expect(throws: SignalingError.self) {
      _ = try await makeClient(foreign).openDownload(clip("https://evil.test/p.m3u8")) { true }
    }
    #expect(foreign.requests.allSatisfy { $0.headers["Authorization"] == nil })
  }

  @Test func `202 is polled by Retry-After while the session lives, and fails at once when it has ended`()
    async throws
  {
    let clock = VirtualClock()
    _ = try await makeClient(transport(readyAfter: 3), clock: clock).openDownload(clip()) { true }
    #expect(clock.sleeps == [.seconds(1), .seconds(1), .seconds(1)])
    do {
      _ = try await makeClient(transport(readyAfter: 3)).openDownload(clip()) { false }
      Issue.record("opened")
    } catch let error as SignalingError {
      #expect(error.reactorError(operation: "download_clip").code == .invalidState)
    }
  }

  @Test func `a ready timeout is grace past the predicted moment`() async throws {
    let clock = VirtualClock()
    let stub = transport(readyAfter: .max, clock: clock)
    do {
      _ = try await makeClient(stub, clock: clock).openDownload(
        clip(readyAt: clock.unixMilliseconds() + 3000), readyTimeout: .seconds(2)
      ) { false }
      Issue.record("opened")
    } catch let error as SignalingError {
      #expect(error.reactorError(operation: "download_clip").code == .requestTimeout)
    }
    #expect(clock.now() == .origin + .seconds(5))
  }

  @Test func `a file is written whole or not at all`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "reactor-clip-\(UInt64.random(in: 0...(.max)))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let target = folder.appending(path: "clip.mp4")
    let download = try await makeClient(transport()).openDownload(clip()) { true }
    let progress = Mutex<[DownloadProgress]>([])
    let count = try await download.write(to: target.path) { step in progress.withLock { $0.append(step) } }
    #expect(count == 44)
    #expect(try Data(contentsOf: target).count == 44)
    #expect(
      progress.withLock { $0.map(\.done) } == [1, 2, 3] && progress.withLock { $0.last?.fraction } == 1)
    let broken = StubTransport { request, _ in
      request.url.path == "/clips"
        ? .answer(200, playlistText) : request.url.path == "/init.mp4" ? .answer(200, "x") : .answer(404)
    }
    let failing = try await makeClient(broken).openDownload(clip()) { true }
    await #expect(throws: SignalingError.self) {
      _ = try await failing.write(to: folder.appending(path: "b.mp4").path)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["clip.mp4"])
    let unasked = transport()
    let unwritable = try await makeClient(unasked).openDownload(clip()) { true }
    await #expect(throws: SignalingError.self) { _ = try await unwritable.write(to: "/nonexistent/x.mp4") }
    #expect(unasked.requests.count == 1, "an unwritable path fails before anything is fetched")
  }

  @Test func `more than the bound is refused, nothing is returned`() async throws {
    let download = try await makeClient(transport()).openDownload(clip()) { true }
    do {
      _ = try await download.readAll(maxBytes: 43)
      Issue.record("returned")
    } catch let error as SignalingError {
      #expect(error.reactorError(operation: nil).code == .messageTooLarge)
    }
    #expect(try await download.readAll(maxBytes: 44).count == 44)
  }

  @Test func `a segment that broke before its first byte is fetched again, later it is an error`()
    async throws
  {
    let tries = Atomic<Int>(0)
    let early = StubTransport { request, _ in
      if request.url.path == "/clips" { return .answer(200, playlistText) }
      let isFirst = request.url.path == "/init.mp4" && tries.wrappingAdd(1, ordering: .relaxed).oldValue == 0
      return isFirst ? .broken(200, "") : .answer(200, "x")
    }
    #expect(try await makeClient(early).openDownload(clip()) { true }.readAll(maxBytes: 10).count == 3)
    let late = StubTransport { request, _ in
      request.url.path == "/clips" ? .answer(200, playlistText) : .broken(200, "half")
    }
    let download = try await makeClient(late).openDownload(clip()) { true }
    await #expect(throws: SignalingError.self) { _ = try await download.readAll(maxBytes: 100) }
    #expect(late.requests.count == 2)
  }

  @Test func `closing a download ends its readers with an error, not with a short file`() async throws {
    let download = try await makeClient(transport()).openDownload(clip()) { true }
    let chunks = download.chunks()
    var iterator = chunks.makeAsyncIterator()
    #expect(try await iterator.next() != nil)
    download.close()
    await #expect(throws: SignalingError(.fetchSegment, .cancelled)) { _ = try await iterator.next() }
    await #expect(throws: SignalingError(.fetchSegment, .cancelled)) {
      _ = try await download.readAll(maxBytes: 10)
    }
  }
}
