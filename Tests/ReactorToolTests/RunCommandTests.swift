import Foundation
import Reactor
import ReactorLocalRuntime
import ReactorTool
import ReactorToolSupport
import Testing

/// The tool as a shell runs it, with a local runtime at the other end.
@Suite(.serialized) struct RunCommandTests {
  private func tool(_ arguments: String..., interruptedAt event: String? = nil) async -> ToolRun {
    await ToolRun(arguments, interruptedAt: event)
  }

  private func runtime() throws -> LocalRuntime {
    try LocalRuntime(model: EchoModel(width: 320, height: 180))
  }

  @Test func `a pushed file comes back in a written one`() async throws {
    let runtime = try runtime()
    let input = try ScratchFile(".y4m")
    defer { input.remove() }
    let writer = try Y4MWriter(path: input.path, framesPerSecond: 20)
    let red = pixels([0, 0, 220, 255], width: 160, height: 90)
    for _ in 0..<30 { red.withUnsafeBytes { writer.write($0, width: 160, height: 90) } }
    try writer.close()
    let output = try ScratchFile(".y4m")
    defer { output.remove() }
    let snapshot = try ScratchFile(".png")
    defer { snapshot.remove() }
    let outcome = await tool(
      "run", "--local", "--api-url", runtime.url, "--push", input.path, "--y4m", output.path, "--y4m-fps",
      "20",
      "--snapshot", snapshot.path, "--stats", "--json")
    await runtime.stop()
    #expect(outcome.status == .success, "\(outcome.errors)")
    let summary = try #require(outcome.events("summary").first)
    #expect(summary["pushed"] == 30)
    #expect(summary["echoed"]?.intValue ?? 0 > 0)
    #expect(!outcome.events("stats").isEmpty)
    let reader = try Y4MReader(path: output.path)
    #expect(reader.framesPerSecond == 20)
    var count = 0
    var echoes = 0
    while let picture = try reader.next() {
      count += 1
      // The echo is red, but for the mark in the corner; the model's own picture is red nowhere for long.
      let offset = (picture.height / 2 * picture.width + picture.width / 2) * 4
      let middle = [UInt8](picture.pixels[offset..<offset + 4])
      if middle[2] > 150, middle[0] < 90, middle[1] < 90 { echoes += 1 }
    }
    #expect(count > 0 && summary["written"] == .number(Double(count)))
    #expect(echoes >= summary["echoed"]?.intValue ?? 1)
    let picture = try PNGImage.read(snapshot.path)
    #expect(picture.pixels.count == picture.width * picture.height * 4)
  }

  @Test func `commands are answered in order, and a refused one ends the run`() async throws {
    let runtime = try runtime()
    let good = await tool(
      "run", "--local", "--api-url", runtime.url, "--seconds", "0.3", "--json", "--command", "set_prompt",
      "{\"prompt\": \"a red fox\"}", "--command", "echo", "{\"text\": 7}")
    #expect(good.status == .success, "\(good.errors)")
    #expect(good.events("reply").map { $0["type"] } == ["prompt_accepted", "echoed"])
    #expect(good.events("reply").last?["data"]?["text"] == 7)
    let bad = await tool("run", "--local", "--api-url", runtime.url, "--json", "--command", "nonsense")
    #expect(bad.status == .failure)
    #expect(bad.events("error").last?["code"] == "invalid_command")
    #expect(bad.errors.contains("invalid_command"))
    await runtime.stop()
  }

  @Test func `a session that is not recorded fails at its end, with everything else done`() async throws {
    let runtime = try runtime()
    let file = try ScratchFile(".mp4")
    defer { file.remove() }
    let outcome = await tool(
      "run", "--local", "--api-url", runtime.url, "--seconds", "0.5", "--record", file.path, "--json")
    await runtime.stop()
    #expect(outcome.status == .failure)
    #expect(outcome.events("error").last?["code"] == "RECORDER_DISABLED")
    #expect(outcome.errors.contains("--y4m"))
    #expect(outcome.events("summary").count == 1)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `an interruption ends the session, and is no failure of a run without a time`() async throws {
    let runtime = try runtime()
    let open = await tool("run", "--local", "--api-url", runtime.url, "--json", interruptedAt: "ready")
    #expect(open.status == .success, "\(open.errors)")
    #expect(open.events("summary").count == 1)
    let timed = await tool(
      "run", "--local", "--api-url", runtime.url, "--seconds", "60", "--json", interruptedAt: "ready")
    #expect(timed.status == .interrupted)
    // The session is over: the next one can begin.
    let next = await tool("run", "--local", "--api-url", runtime.url, "--seconds", "0.2", "--json")
    #expect(next.status == .success, "\(next.errors)")
    await runtime.stop()
  }

  @Test func `a session that the platform ends is a failure that says why`() async throws {
    let runtime = try runtime()
    let ending = Task {
      while await runtime.clientCount == 0 { try await Task.sleep(for: .milliseconds(20)) }
      try await Task.sleep(for: .milliseconds(300))
      await runtime.endSession(reason: "maintenance")
    }
    let outcome = await tool("run", "--local", "--api-url", runtime.url, "--seconds", "60", "--json")
    try await ending.value
    await runtime.stop()
    #expect(outcome.status == .failure)
    #expect(outcome.events("platform").last?["message"]?["data"]?["reason"] == "maintenance")
    #expect(outcome.errors.contains("before its time"))
  }

  @Test func `files and options that cannot be used are told before anything is connected`() async throws {
    let cut = try ScratchFile(".y4m", Array("YUV4MPEG2 W64 H64 C444\n".utf8))
    defer { cut.remove() }
    for (arguments, status, words) in [
      (["--push", cut.path], .failure, "only 8-bit 4:2:0"),
      (["--push", "/nonexistent.y4m"], .failure, "cannot be opened"),
      (["--y4m", "/nonexistent/x.y4m"], .failure, "cannot be opened"),
      (["--seconds", "x"], .usage, "--seconds takes"),
      (["--command", "a", "{"], .usage, "no JSON object"), (["--nonsense"], .usage, "unknown option"),
    ] as [([String], ToolStatus, String)] {
      // Nobody listens at port 1.
      let outcome = await ToolRun(
        ["run", "--local", "--api-url", "http://127.0.0.1:1", "--json"] + arguments)
      #expect(outcome.status == status, "\(arguments)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      #expect(outcome.events("status").isEmpty)
    }
    let nobody = await tool("run", "--local", "--api-url", "http://127.0.0.1:1", "--json")
    #expect(nobody.status == .failure)
    #expect(nobody.events("error").last?["code"] == "NETWORK_ERROR")
  }
}
