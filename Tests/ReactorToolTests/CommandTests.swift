import Foundation
import Reactor
import ReactorLocalRuntime
import ReactorTool
import ReactorToolSupport
import Testing

/// The commands but `run` and `doctor`, as a shell runs them.
@Suite(.serialized) struct CommandTests {
  @Test func `the demo ends well, with a picture that has been through the model`() async throws {
    let snapshot = try ScratchFile(".png")
    defer { snapshot.remove() }
    let run = await ToolRun(["demo", "--seconds", "1.5", "--snapshot", snapshot.path, "--json"])
    #expect(run.status == .success, "\(run.lines) \(run.errors)")
    let summary = try #require(run.events("summary").first)
    #expect(summary["ok"] == true && summary["command_answered"] == true)
    #expect(summary["marked"]?.intValue ?? 0 > 0)
    let picture = try PNGImage.read(snapshot.path)
    #expect((picture.width, picture.height) == (640, 360))
    let corner = ((picture.height - 8) * picture.width + picture.width - 8) * 4
    #expect(
      picture.pixels[corner + 1] > 140 && picture.pixels[corner] < 90 && picture.pixels[corner + 2] < 90)
  }

  @Test func `a served runtime says where it listens, and an interruption is its ordinary end`() async throws
  {
    let run = await ToolRun(["serve", "--port", "0", "--json"], interruptedAt: "listening")
    #expect(run.status == .success)
    #expect(run.events("listening").first?["url"]?.stringValue?.hasPrefix("http://127.0.0.1:") == true)
    #expect(run.events("stopped").count == 1)
  }

  @Test func `a port that is taken is told`() async throws {
    let runtime = try LocalRuntime(model: EchoModel())
    let run = await ToolRun(["serve", "--port", "\(runtime.port)", "--json"])
    await runtime.stop()
    #expect(run.status == .failure)
    #expect(run.events("error").first?["code"] == "INVALID_STATE")
  }

  @Test func `the schema is the running model's`() async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 64, height: 48))
    let run = await ToolRun(["schema", "--local", "--api-url", runtime.url, "--json"])
    await runtime.stop()
    #expect(run.status == .success, "\(run.errors)")
    let text = run.text
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    #expect(document["paths"]?["/events/set_prompt"]?["post"] != nil)
  }

  @Test func `a token comes for the key of the environment, and the key is never shown`() async throws {
    let runtime = try LocalRuntime(model: EchoModel())
    let key = "rk_0123456789abcdef"
    let good = await ToolRun(
      ["token", "--api-url", runtime.url, "--json"], environment: ["REACTOR_API_KEY": key])
    #expect(good.status == .success, "\(good.errors)")
    #expect(good.lines.first?["jwt"]?.stringValue?.isEmpty == false)
    let none = await ToolRun(["token", "--api-url", runtime.url, "--json"])
    #expect(none.status == .usage)
    let bad = await ToolRun(
      ["token", "--api-url", runtime.url, "--json"], environment: ["REACTOR_API_KEY": "wrong-0123456789"])
    await runtime.stop()
    #expect(bad.status == .failure)
    #expect(bad.events("error").first?["code"] == "UNAUTHORIZED")
    for run in [good, bad] {
      #expect(
        !run.errors.contains("0123456789") && !run.text.contains(key)
          && !run.text.contains("wrong-0123456789"))
    }
  }

  @Test func `help teaches, and words that mean nothing are usage errors`() async throws {
    let help = await ToolRun(["--help"])
    #expect(help.status == .success && help.text.contains("reactor demo"))
    for command in ["demo", "run", "serve", "schema", "token", "doctor"] {
      let page = await ToolRun([command, "--help"])
      #expect(page.status == .success)
      #expect(page.text.contains("Options:") && page.text.contains("Examples:"), "\(command)")
      #expect(help.text.contains(command))
    }
    for words in [[], ["dance"], ["run", "along"], ["serve", "--port", "70000"]] {
      let run = await ToolRun(words)
      #expect(run.status == .usage, "\(words)")
      #expect(!run.errors.isEmpty)
    }
  }
}
