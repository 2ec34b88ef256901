import Foundation
import Reactor

/// Commands of every outcome.
extension RuntimeDrive {
  func commands(_ reactor: Reactor, _ observer: Observer) async {
    switch generation {
    case .current: await commandsWithReplies(reactor)
    case .legacy: await commandsWithoutReplies(reactor, observer)
    }
    await runner.step("schema") {
      let schema = try await reactor.requestSchema()
      let paths = schema["paths"]?.objectValue ?? [:]
      try expect(paths["/events/set_prompt"] != nil, "paths \(paths.keys.sorted())")
      return "\(paths.count) paths"
    }
  }

  private func commandsWithReplies(_ reactor: Reactor) async {
    await runner.step("command without a body") {
      let reply = try await reactor.sendCommand("set_brightness", ["brightness": 0.9])
      try expect(reply == nil, "\(String(describing: reply))")
      return "no reply"
    }
    for (step, name, arguments, code) in [
      ("unknown command", "no_such_command", [:], "invalid_command"),
      ("invalid argument", "set_brightness", ["brightness": 7], "invalid_command"),
      ("command that fails", "fail", ["reason": "because"], "peer_failed"),
      ("command that crashes", "crash", [:], "internal_error"),
    ] as [(String, String, JSONValue, String)] {
      await runner.step(step) {
        let found = try await errorCode { try await reactor.sendCommand(name, arguments) }
        try expect(found == code, "refused with \(found), not \(code)")
        return found
      }
    }
    await runner.step("command of 1 MB both ways") {
      let text = String(repeating: "0123456789", count: 100_000)
      let reply = try await reactor.sendCommand(
        "echo", ["text": .string(text), "items": [1, "two", nil, [3]]])
      try expect(reply?.data?["text"]?.stringValue == text, "the text came back changed")
      try expect(reply?.data?["items"] == [1, "two", nil, [3]], "the list came back changed")
      return "\(text.utf8.count) bytes"
    }
  }

  // The older runtime says nothing to a command that it refuses: the session must simply go on.
  private func commandsWithoutReplies(_ reactor: Reactor, _ observer: Observer) async {
    await runner.step("command that fails") {
      let error = try await generation.ask(
        reactor, observer, "fail", ["reason": "because"], answer: "command_error")
      try expect(error["code"] == "peer_failed" && error["message"] == "because", "\(error)")
      return "its own message"
    }
    for (step, name, arguments) in [
      ("unknown command", "no_such_command", [:]), ("invalid argument", "set_prompt", ["prompt": 7]),
      ("command that crashes", "raise_only", [:]),
    ] as [(String, String, JSONValue)] {
      await runner.step(step) {
        let before = observer.messageCount
        let reply = try await reactor.sendCommand(name, arguments)
        _ = try await generation.ask(
          reactor, observer, "set_prompt", ["prompt": "after it"], answer: "prompt_accepted")
        try expect(reply == nil, "\(String(describing: reply))")
        let said = observer.messages(after: before)
        try expect(said.count == 1 && observer.errors.isEmpty, "\(said), \(observer.errors)")
        return "nothing is said"
      }
    }
    await runner.step("messages in order") {
      let before = observer.messageCount
      try await reactor.sendCommand("emit_messages", ["count": 500, "size": 1000])
      let all = await eventually(.seconds(10)) { observer.messageCount >= before + 500 }
      let steps = observer.messages(after: before).compactMap { $0["data"]?["step"]?.intValue }
      try expect(all && steps == Array(1...500), "\(steps.count) came: \(steps)")
      return "500 of 1000 bytes"
    }
    await runner.step("command of 65 KB both ways") {
      let text = String(repeating: "0123456789", count: 6500)
      let error = try await generation.ask(
        reactor, observer, "fail", ["reason": .string(text)], answer: "command_error")
      try expect(error["message"]?.stringValue == text, "the text came back changed")
      return "\(text.utf8.count) bytes"
    }
    await runner.step("command that is too large") {
      let text = String(repeating: "0123456789", count: 6600)
      let code = try await errorCode { try await reactor.sendCommand("fail", ["reason": .string(text)]) }
      try expect(code == "MESSAGE_TOO_LARGE", code)
      return code
    }
  }
}
