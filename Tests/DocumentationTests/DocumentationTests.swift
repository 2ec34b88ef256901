import Foundation
import Reactor
import ReactorLocalRuntime
import TestSupport
import Testing

/// An example and where it stands.
struct DocumentedCode: Sendable, CustomTestStringConvertible {
  let place: String
  let run: @Sendable () async throws -> Void

  init(_ place: String, _ run: @escaping @Sendable () async throws -> Void) {
    self.place = place
    self.run = run
  }

  var testDescription: String { place }
}

/// `DocumentedCode.swift` holds the documentation's examples: that it compiles is the main test.
@Suite(.serialized) struct DocumentationTests {
  #if canImport(Glibc)
    @Test func `the compiled examples are those of the documentation`() throws {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      let script = root.appending(path: "Scripts/documented-code").path
      let (status, output) = try ChildProcess.run(script, ["--check"])
      #expect(status == 0, "\(String(decoding: output, as: UTF8.self))")
    }
  #endif

  @Test(arguments: runnableCode)
  func `an example that needs nothing from outside runs`(example: DocumentedCode) async throws {
    try await example.run()
  }

  @Test func `the model of the documentation answers and refuses as its text says`() async throws {
    let runtime = try LocalRuntime(model: Painter())
    let client = try Reactor(model: "acme/painter", apiURL: runtime.url, local: true)
    let frames = try client.track("main_video").frameScope()
    try await client.connect()
    #expect(try await client.sendCommand("paint", ["grey": 0.5])?.type == "painted")
    let refusals: [(JSONValue, String)] = [(["grey": 2], "out_of_range"), (["blue": 1], "invalid_command")]
    for (arguments, code) in refusals {
      await #expect {
        try await client.sendCommand("paint", arguments)
      } throws: { ($0 as? ReactorError)?.code.rawValue == code }
    }
    var iterator = frames.makeAsyncIterator()
    let frame = try #require(try await iterator.next())
    #expect((frame.width, frame.height) == (320, 180))
    try await client.disconnect()
    await runtime.stop()
  }
}
