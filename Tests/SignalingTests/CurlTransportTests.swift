import Foundation
import ReactorTypes
import Synchronization
import TestSupport
import Testing

import Signaling

private func request(_ method: String, _ url: String, body: String? = nil) throws -> HTTPRequest {
  var request = HTTPRequest(method: method, url: try HTTPURL.url(url))
  request.body = body.map { Data($0.utf8) }
  return request
}

private func text(_ scope: StreamScope<Data>) async throws -> String {
  var all = Data()
  for try await chunk in scope { all.append(chunk) }
  return String(decoding: all, as: UTF8.self)
}

/// Those that measure memory do so in a process of their own: other suites allocate meanwhile.
@Suite(.serialized) struct CurlTransportTests {
  @Test func `an answer arrives with its status, its headers and its whole body`() async throws {
    let server = try TestServer { request, connection in
      connection.answer(418, "short and stout", headers: ["X-Twice": "one", "x-lower": "two"])
    }
    defer { server.stop() }
    let transport = CurlTransport()
    var sent = try request("POST", server.url + "/a?b=c", body: "tea")
    sent.headers = ["X-Mine": "yes"]
    let (head, body) = try await transport.send(sent, timeout: .seconds(5))
    #expect(head.status == 418)
    #expect(head.headers["x-twice"] == "one")
    #expect(try await text(body) == "short and stout")
    let seen = try #require(server.requests.first)
    #expect(seen.method == "POST" && seen.path == "/a?b=c" && seen.text == "tea")
    #expect(seen.headers["x-mine"] == "yes")
    #expect(seen.headers["content-type"] == nil, "no type is made up for a body")
    #expect(
      seen.headers["expect"] == nil && seen.headers["user-agent"] == nil && seen.headers["cookie"] == nil)
  }

  @Test func `one connection carries many requests`() async throws {
    let server = try TestServer { _, connection in connection.answer(200, "x", headers: ["Set-Cookie": "a=b"])
    }
    defer { server.stop() }
    let transport = CurlTransport()
    for _ in 0..<50 {
      let (_, body) = try await transport.send(request("GET", server.url), timeout: .seconds(5))
      #expect(try await text(body) == "x")
    }
    #expect(server.connectionCount == 1)
    #expect(server.requests.allSatisfy { $0.headers["cookie"] == nil }, "no cookies are kept")
  }

  @Test func `what must not be sent twice goes over a fresh connection`() async throws {
    let server = try TestServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let transport = CurlTransport()
    for mayReplay in [true, false, true] {
      var sent = try request("POST", server.url, body: "x")
      sent.mayReplay = mayReplay
      let (_, body) = try await transport.send(sent, timeout: .seconds(5))
      _ = try await text(body)
    }
    #expect(server.requests.map(\.connection).prefix(2) == [0, 1])
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect is an answer, and no Authorization goes to another host`(status: Int) async throws {
    let thief = try TestServer { _, connection in connection.answer(200, "stolen") }
    defer { thief.stop() }
    let target = thief.url
    let server = try TestServer { _, connection in
      connection.answer(status, "elsewhere", headers: ["Location": target])
    }
    defer { server.stop() }
    var sent = try request("GET", server.url)
    sent.headers["Authorization"] = "Bearer secret"
    let (head, body) = try await CurlTransport().send(sent, timeout: .seconds(5))
    #expect(head.status == status)
    #expect(try await text(body) == "elsewhere")
    #expect(thief.requests.isEmpty)
  }

  @Test func `a body cut short is an error, whole pieces before it are delivered`() async throws {
    let server = try TestServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of it")
      connection.close()
    }
    defer { server.stop() }
    let (head, body) = try await CurlTransport().send(request("GET", server.url), timeout: .seconds(5))
    #expect(head.status == 200)
    await #expect(throws: TransportFailure.connectionLost(sent: true)) { _ = try await text(body) }
  }

  @Test func `a chunked body without its last chunk is an error`() async throws {
    let server = try TestServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
      connection.close()
    }
    defer { server.stop() }
    let (_, body) = try await CurlTransport().send(request("GET", server.url), timeout: .seconds(5))
    await #expect(throws: TransportFailure.connectionLost(sent: true)) { _ = try await text(body) }
  }

  @Test func `a server that says nothing and closes is a lost connection`() async throws {
    let server = try TestServer { _, connection in connection.close() }
    defer { server.stop() }
    await #expect(throws: TransportFailure.connectionLost(sent: true)) {
      _ = try await CurlTransport().send(request("GET", server.url), timeout: .seconds(5))
    }
  }

  @Test func `a server that speaks garbage is an error, not a hang`() async throws {
    let server = try TestServer { _, connection in
      connection.write("\u{1}\u{2}garbage\r\n\r\n")
      connection.close()
    }
    defer { server.stop() }
    await #expect(throws: TransportFailure.self) {
      _ = try await CurlTransport().send(request("GET", server.url), timeout: .seconds(5))
    }
  }

  @Test func `a head without an end is refused beyond its limit`() async throws {
    let server = try TestServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\n")
      while connection.write("X-Filler: \(String(repeating: "x", count: 1000))\r\n") {}
    }
    defer { server.stop() }
    await #expect(throws: TransportFailure.headTooLarge(limit: 64 << 10)) {
      _ = try await CurlTransport().send(request("GET", server.url), timeout: .seconds(5))
    }
  }

  @Test func `a time limit below a second is kept, and ends at the head`() async throws {
    let server = try TestServer { request, connection in
      if request.path == "/slow" {
        usleep(1_500_000)
      } else {
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
        usleep(700_000)
        connection.write("ok")
      }
    }
    defer { server.stop() }
    let transport = CurlTransport()
    await #expect(throws: TransportFailure.timedOut(sent: true)) {
      _ = try await transport.send(request("GET", server.url + "/slow"), timeout: .milliseconds(300))
    }
    let (_, body) = try await transport.send(request("GET", server.url), timeout: .milliseconds(300))
    #expect(try await text(body) == "ok", "the body has a limit of its own")
  }

  @Test func `a body that stands still ends by its idle limit`() async throws {
    let server = try TestServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      usleep(3_000_000)
    }
    defer { server.stop() }
    let transport = CurlTransport(bodyIdleLimit: .milliseconds(200))
    let (_, body) = try await transport.send(request("GET", server.url), timeout: .seconds(5))
    await #expect(throws: TransportFailure.bodyStalled) { _ = try await text(body) }
  }

  @Test func `nobody listening and no such name never sent anything`() async throws {
    let server = try TestServer { _, _ in }
    let url = server.url
    server.stop()
    await #expect(throws: TransportFailure.connectionRefused) {
      _ = try await CurlTransport().send(request("GET", url), timeout: .seconds(5))
    }
    #expect(TransportFailure.connectionRefused.neverSent)
    await #expect(throws: TransportFailure.self) {
      _ = try await CurlTransport().send(request("GET", "http://nowhere.invalid/"), timeout: .seconds(5))
    }
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:1/x"])
  func `other schemes than http are refused`(url: String) async throws {
    await #expect(throws: TransportFailure.unsupportedURL) {
      _ = try await CurlTransport().send(request("GET", url), timeout: .seconds(5))
    }
  }

  @Test func `an unread body holds the server back and takes no memory`() async throws {
    await #expect(processExitsWith: .success) {
      let written = Atomic<Int>(0)
      let total = 256 << 20
      let server = try TestServer { _, connection in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
        let piece = [UInt8](repeating: 7, count: 256 << 10)
        while written.load(ordering: .relaxed) < total, connection.write(piece) {
          written.wrappingAdd(piece.count, ordering: .relaxed)
        }
      }
      defer { server.stop() }
      let before = residentBytes()
      let (_, body) = try await CurlTransport().send(request("GET", server.url), timeout: .seconds(5))
      var iterator = body.makeAsyncIterator()
      #expect(try await iterator.next() != nil)
      // The sockets' own buffers fill, and then nothing moves.
      var last = -1
      while written.load(ordering: .relaxed) != last {
        last = written.load(ordering: .relaxed)
        try await Task.sleep(for: .milliseconds(200))
      }
      #expect(last < 32 << 20, "a server wrote \(last) bytes that nobody read")
      #expect(residentBytes() - before < 24 << 20)
      var count = 0
      var largest = 0
      while let chunk = try await iterator.next() {
        count += chunk.count
        largest = max(largest, chunk.count)
      }
      #expect(count > total - (1 << 20))
      #expect(largest <= 96 << 10)
      #expect(residentBytes() - before < 24 << 20)
    }
  }

  @Test func `a file of 64 MiB is sent without lying in memory`() async throws {
    await #expect(processExitsWith: .success) {
      let server = try TestServer(keepsBodies: false) { _, connection in connection.answer(200) }
      defer { server.stop() }
      let file = FileManager.default.temporaryDirectory.appending(
        path: "reactor-upload-\(UInt64.random(in: 0...(.max)))")
      defer { try? FileManager.default.removeItem(at: file) }
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      let handle = try FileHandle(forWritingTo: file)
      let size = 64 << 20
      try handle.truncate(atOffset: UInt64(size))
      try handle.close()
      let transport = CurlTransport()
      // The first request starts thread and library.
      let (_, body) = try await transport.send(request("GET", server.url), timeout: .seconds(5))
      _ = try await text(body)
      let before = residentBytes()
      var sent = try request("PUT", server.url)
      sent.headers["Content-Type"] = "video/mp4"
      let head = try await transport.upload(sent, file: file, timeout: .seconds(10))
      #expect(head.status == 200)
      #expect(server.bodyBytes.load(ordering: .relaxed) == size)
      #expect(residentBytes() - before < 16 << 20)
      let seen = try #require(server.requests.last)
      #expect(seen.method == "PUT" && seen.headers["content-length"] == "\(size)")
      #expect(seen.headers["content-type"] == "video/mp4" && seen.headers["transfer-encoding"] == nil)
    }
  }

  @Test func `an answer before the whole file has left is the answer`() async throws {
    let server = try TestServer(keepsBodies: false) { _, _ in }
    server.stop()
    // This server answers from the head alone.
    let early = try EarlyAnswerServer()
    defer { early.stop() }
    let file = FileManager.default.temporaryDirectory.appending(
      path: "reactor-early-\(UInt64.random(in: 0...(.max)))")
    defer { try? FileManager.default.removeItem(at: file) }
    _ = FileManager.default.createFile(atPath: file.path, contents: Data(count: 32 << 20))
    let head = try await CurlTransport().upload(request("PUT", early.url), file: file, timeout: .seconds(5))
    #expect(head.status == 403)
  }

  @Test func `a file that is not there is refused before anything is sent`() async throws {
    let server = try TestServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    await #expect(throws: TransportFailure.fileUnreadable) {
      _ = try await CurlTransport().upload(
        request("PUT", server.url), file: URL(filePath: "/nonexistent/file"), timeout: .seconds(5))
    }
    await #expect(throws: TransportFailure.fileUnreadable) {
      _ = try await CurlTransport().upload(
        request("PUT", server.url), file: URL(filePath: "/tmp"), timeout: .seconds(5))
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `cancelling a task ends its request at once`() async throws {
    let started = AsyncStream<Void>.makeStream()
    let server = try TestServer { _, connection in
      started.continuation.yield()
      while connection.isOpen.load(ordering: .relaxed) { usleep(10_000) }
    }
    defer { server.stop() }
    let transport = CurlTransport()
    let url = server.url
    let task = Task { try await transport.send(request("GET", url), timeout: .seconds(60)) }
    for await _ in started.stream { break }
    task.cancel()
    await #expect(throws: TransportFailure.cancelled) { _ = try await task.value }
  }

  @Test func `closing the transport ends what runs and refuses what comes`() async throws {
    let started = AsyncStream<Void>.makeStream()
    let server = try TestServer { _, connection in
      started.continuation.yield()
      while connection.isOpen.load(ordering: .relaxed) { usleep(10_000) }
    }
    defer { server.stop() }
    let transport = CurlTransport()
    let url = server.url
    let task = Task { try await transport.send(request("GET", url), timeout: .seconds(60)) }
    for await _ in started.stream { break }
    transport.close()
    await #expect(throws: TransportFailure.closed) { _ = try await task.value }
    await #expect(throws: TransportFailure.closed) {
      _ = try await transport.send(request("GET", url), timeout: .seconds(1))
    }
  }

  @Test func `many requests at once, many of them dropped, leave nothing behind`() async throws {
    let server = try TestServer { request, connection in
      connection.answer(200, String(repeating: "y", count: 300_000))
    }
    defer { server.stop() }
    let transport = CurlTransport()
    let url = server.url
    let descriptors = { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }
    for _ in 0..<4 {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            guard let (_, body) = try? await transport.send(request("GET", url), timeout: .seconds(10)) else {
              return
            }
            if number % 3 == 0 { body.close() } else if number % 3 == 1 { _ = try? await text(body) }
          }
        }
      }
    }
    transport.close()
    #expect(server.requests.count == 160)
    #expect(descriptors() < 400)
  }

  @Test func `an untrusted certificate is refused, a trusted root is accepted`() async throws {
    let tls = try TLSServer()
    defer { tls.stop() }
    do {
      _ = try await CurlTransport().send(request("GET", tls.url), timeout: .seconds(5))
      Issue.record("a self-signed certificate was accepted")
    } catch let failure as TransportFailure {
      guard case .tls = failure else { return #expect(Bool(false), "\(failure)") }
      #expect(failure.neverSent)
    }
    var trust = HTTPTrust()
    trust.rootsPEM = tls.certificatePEM
    let (head, _) = try await CurlTransport(trust: trust).send(request("GET", tls.url), timeout: .seconds(5))
    #expect(head.status == 200)
    var lax = HTTPTrust()
    lax.trustsLoopback = true
    let (laxHead, _) = try await CurlTransport(trust: lax).send(request("GET", tls.url), timeout: .seconds(5))
    #expect(laxHead.status == 200)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: TLSServer.http2Path)))
  func `HTTP/2 bodies hold their server back too, and do not hold up other requests`() async throws {
    await #expect(processExitsWith: .success) {
      let size = 256 << 20
      let server = try TLSServer(http2FileSize: size)
      defer { server.stop() }
      var trust = HTTPTrust()
      trust.rootsPEM = server.certificatePEM
      let transport = CurlTransport(trust: trust)
      let (_, warm) = try await transport.send(request("GET", server.url + "cert.pem"), timeout: .seconds(5))
      _ = try await text(warm)
      let before = residentBytes()
      let (head, body) = try await transport.send(request("GET", server.url + "big"), timeout: .seconds(5))
      #expect(head.status == 200)
      var iterator = body.makeAsyncIterator()
      var count = try await iterator.next()?.count ?? 0
      try await Task.sleep(for: .milliseconds(500))
      let unread = residentBytes() - before
      #expect(unread < 40 << 20, "\(unread) bytes more resident")
      for _ in 0..<3 {
        let (_, small) = try await transport.send(
          request("GET", server.url + "cert.pem"), timeout: .seconds(5))
        #expect(try await text(small).hasPrefix("-----BEGIN"))
      }
      while let chunk = try await iterator.next() { count += chunk.count }
      #expect(count == size)
      let read = residentBytes() - before
      #expect(read < 40 << 20, "\(read) bytes more resident")
    }
  }
}
