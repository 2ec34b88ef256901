import Foundation
import ReactorTypes
import Testing

@Suite struct TokenStoreTests {
  private let context = TokenContext(model: "acme/world", sessionID: nil)

  @Test func `a memory store forgets only the token that was refused`() async throws {
    let store = MemoryTokenStore("a")
    await store.invalidate("b", for: context)
    #expect(try await store.token(for: context) == "a")
    await store.invalidate("a", for: context)
    #expect(try await store.token(for: context) == nil)
    store.set("c")
    #expect(try await store.token(for: context) == "c")
  }

  private func scratch() -> URL {
    FileManager.default.temporaryDirectory.appending(path: "reactor-token-\(UInt64.random(in: 0...(.max)))")
  }

  @Test func `a file store keeps the token for its owner alone`() async throws {
    let url = scratch()
    defer { try? FileManager.default.removeItem(at: url) }
    let store = FileTokenStore(url: url)
    #expect(try await store.token(for: context) == nil)
    try store.set("first")
    try store.set("second")
    #expect(try await FileTokenStore(url: url).token(for: context) == "second")
    let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let left = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
    #expect(!left.contains { $0.hasPrefix(url.lastPathComponent + ".") }, "no temporary file is left")
    await store.invalidate("first", for: context)
    #expect(try await store.token(for: context) == "second")
    await store.invalidate("second", for: context)
    #expect(!FileManager.default.fileExists(atPath: url.path))
    try store.set(nil)
  }

  @Test func `a file that others can read, a link and a folder are refused`() async throws {
    let url = scratch()
    let link = scratch()
    defer {
      try? FileManager.default.removeItem(at: url)
      try? FileManager.default.removeItem(at: link)
    }
    try Data("token\n".utf8).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
    await #expect(throws: ReactorError.self) { _ = try await FileTokenStore(url: url).token(for: context) }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    #expect(try await FileTokenStore(url: url).token(for: context) == "token")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    await #expect(throws: ReactorError.self) { _ = try await FileTokenStore(url: link).token(for: context) }
    await #expect(throws: ReactorError.self) {
      _ = try await FileTokenStore(url: FileManager.default.temporaryDirectory).token(for: context)
    }
    #expect(throws: ReactorError.self) { try FileTokenStore(url: URL(filePath: "/nonexistent/x")).set("t") }
  }

  @Test func `the body of a token request`() throws {
    #expect(TokenOptions().requestBody() == .null)
    #expect(TokenOptions(expiresAfter: 900).requestBody() == ["expires_after": 900])
    #expect(
      TokenOptions(models: ["acme/world"], maxSessions: 2, expiresAfter: 900)
        .requestBody(sessions: ["6f0c"], maxSessionDurationSeconds: 600)
        == [
          "authorization_details": [
            [
              "type": "session",
              "resources": ["models": ["match": ["acme/world"]], "sessions": ["bind": ["6f0c"]]],
              "constraints": ["max_sessions": 2, "max_session_duration_seconds": 600],
            ]
          ], "expires_after": 900,
        ])
    #expect(
      TokenOptions().requestBody(sessions: ["s"])["authorization_details"]?.arrayValue?.first?["resources"]
        == ["models": ["all": true], "sessions": ["bind": ["s"]]])
    #expect(
      TokenOptions(maxSessions: 3).requestBody() == .null, "limits mean nothing on an unscoped token")
    #expect(String(decoding: try JSONEncoder().encode(TokenOptions()), as: UTF8.self) == "null")
  }
}
