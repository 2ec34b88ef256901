import Foundation
import Reactor
import ReactorLocalRuntime
import ReactorTool
import Testing

/// What the doctor says of servers that answer, that do not, and that refuse.
@Suite(.serialized) struct DoctorTests {
  private func check(_ name: String, _ run: ToolRun) -> (grade: String?, words: String) {
    let found = run.events("check").first { $0["check"] == .string(name) }
    return (found?["grade"]?.stringValue, found?["words"]?.stringValue ?? "")
  }

  @Test func `this machine alone is well, and nothing outside it is asked`() async throws {
    let run = await ToolRun(["doctor", "--offline", "--json"])
    #expect(run.status == .success, "\(run.lines)")
    #expect(check("libraries", run).grade != nil)
    #expect(check("udp loopback", run).grade == "ok")
    #expect(check("local session", run).grade == "ok")
    #expect(check("platform", run).grade == nil && check("stun server", run).grade == nil)
  }

  @Test func `servers that answer nothing or are not there are told apart`() async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 64, height: 48))
    let port = SilentPort()
    let silent = await ToolRun(
      ["doctor", "--api-url", runtime.url, "--server", "stun:127.0.0.1:\(port.number)", "--json"])
    #expect(silent.status == .failure)
    #expect(check("platform", silent).grade == "ok")
    #expect(check("platform", silent).words.contains("answers (HTTP "))
    #expect(check("stun server", silent).grade == "broken")
    #expect(check("stun server", silent).words.contains("does not answer: UDP to it is blocked"))
    let url = runtime.url
    await runtime.stop()
    port.close()
    let gone = await ToolRun([
      "doctor", "--api-url", url, "--server", "stun:127.0.0.1:\(port.number)", "--json",
    ])
    #expect(gone.status == .failure)
    #expect(check("platform", gone).grade == "broken")
    #expect(check("platform", gone).words.contains("does not answer"))
    #expect(check("stun server", gone).words.contains("nobody listens"))
  }

  @Test func `servers that cannot be meant are usage errors`() async throws {
    for (arguments, words) in [
      (["--server", "http://x"], "names no server"), (["--server", "turn:127.0.0.1"], "needs --username"),
      (["--offline", "--server", "stun:127.0.0.1"], "--offline asks nobody"),
    ] {
      let run = await ToolRun(["doctor", "--json"] + arguments)
      #expect(run.status == .usage)
      #expect(run.errors.contains(words), "\(run.errors)")
    }
  }

  #if canImport(Glibc)
    @Test(.enabled(if: RelayServer.isInstalled, "coturn is not installed (apt package coturn)"))
    func
      `a real server is found well for STUN and for TURN over UDP and TCP, and wrong credentials are told`()
      async throws
    {
      let server = try RelayServer()
      defer { server.stop() }
      let runtime = try LocalRuntime(model: EchoModel(width: 64, height: 48))
      func ask(_ uri: String, as username: String) async -> ToolRun {
        await ToolRun(
          ["doctor", "--api-url", runtime.url, "--username", username, "--server", uri, "--json"],
          environment: ["REACTOR_TURN_PASSWORD": "secret"])
      }
      let address = "127.0.0.1:\(server.port)"
      for uri in ["stun:\(address)", "turn:\(address)", "turn:\(address)?transport=tcp"] {
        let name = uri.hasPrefix("stun") ? "stun server" : "turn server"
        var found = check(name, await ask(uri, as: "user"))
        // The server takes a moment to listen.
        for _ in 0..<3 where found.grade != "ok" { found = check(name, await ask(uri, as: "user")) }
        #expect(found.grade == "ok", "\(found)")
      }
      let stranger = await ask("turn:\(address)", as: "stranger")
      let found = check("turn server", stranger)
      #expect(found.grade == "broken" && found.words.contains("refuses the credentials"), "\(found)")
      #expect(!stranger.errors.contains("secret") && !"\(stranger.lines)".contains("secret"))
      await runtime.stop()
    }
  #endif
}
