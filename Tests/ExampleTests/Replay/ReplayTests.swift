import Foundation
import Reactor
import Testing

import examples

/// The examples against recordings of real runtimes: every HTTP answer and every message on the data channels is
/// one that such a runtime gave. Needs no runtime, no Python and no network.
@Suite(.serialized) struct ReplayTests {
  private func run(_ number: Int, _ course: ReplayRuntime.Course) async throws -> String {
    let runtime = try ReplayRuntime(course)
    var surroundings = Surroundings(localRuntime: course.url, seconds: 0.3)
    surroundings.http = runtime.transport
    let outcome: Result<String, any Error>
    do {
      outcome = .success(try await Scenario.all[number - 1].run(surroundings))
    } catch {
      outcome = .failure(error)
    }
    await runtime.stop()
    #expect(!runtime.transport.isRunning, "the session is ended")
    return try outcome.get()
  }

  @Test(arguments: 1...7)
  func `each scenario runs against what runtime 3.10 said`(number: Int) async throws {
    let outcome = try await run(number, .current)
    switch number {
    case 1: #expect(outcome.hasSuffix("prompt_accepted"))
    case 2: #expect(outcome.hasSuffix("the model saw 10240 bytes"))
    case 3: #expect(outcome.contains(" 0 in a second of pause"))
    case 4: #expect(!outcome.contains(", 0 came back"))
    case 5: #expect(outcome.hasPrefix("one session"))
    case 6: #expect(outcome.contains(" bytes in "))
    default: #expect(outcome.contains("tag {\"index\":"))
    }
  }

  /// The older runtime answers no commands, and its recording has no tags.
  @Test(arguments: [1, 2, 3, 5])
  func `scenarios run against what runtime 2.10 said`(number: Int) async throws {
    let outcome = try await run(number, .old)
    if number == 5 { #expect(outcome.hasPrefix("one session")) }
  }

  @Test(arguments: [
    ("no_such_command", "invalid_command"), ("fail", "peer_failed"), ("crash", "internal_error"),
  ])
  func `a recorded refusal has the model's own code`(command: String, code: String) async throws {
    let runtime = try ReplayRuntime(.current)
    let reactor = try runtime.client()
    try await reactor.connect()
    do {
      try await reactor.sendCommand(command)
      Issue.record("not refused")
    } catch let error as ReactorError {
      #expect(error.code.rawValue == code)
      #expect(error.operation == "send_command")
    }
    try await reactor.disconnect()
    await runtime.stop()
  }

  @Test func `the recorded messages arrive as they were`() async throws {
    let runtime = try ReplayRuntime(.current)
    let reactor = try runtime.client()
    let messages = reactor.messageScope()
    try await reactor.connect()
    try await reactor.sendCommand("emit_messages", ["count": 3, "size": 16])
    var steps: [Int] = []
    for try await message in messages where message["type"] == "progress" {
      steps.append(message["data"]?["step"]?.intValue ?? 0)
      if steps.count == 3 { break }
    }
    #expect(steps == [1, 2, 3])
    try await reactor.disconnect()
    await runtime.stop()
  }

  // Often: the first progress comes about when the call itself has only begun.
  @Test(arguments: 0..<20)
  func `closing inside a download's progress ends it without a file`(_ round: Int) async throws {
    let runtime = try ReplayRuntime(.current)
    let reactor = try runtime.client()
    try await reactor.connect()
    let clip = try await reactor.requestClip(.seconds(2))
    let folder = FileManager.default.temporaryDirectory.appending(path: "reactor-close-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try await reactor.download(clip, to: folder.appending(path: "clip.mp4")) { progress in
        if progress.done == 1 { reactor.close() }
      }
      Issue.record("downloaded")
    } catch ReactorError.aborted {}
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    await runtime.stop()
  }
}
