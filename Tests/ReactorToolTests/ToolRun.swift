import Foundation
import Reactor
import ReactorTool
import Synchronization

/// One run of the tool, with what it said.
struct ToolRun {
  let status: ToolStatus
  /// Standard output.
  let text: String
  /// Its lines as JSON; one that is none as a string.
  let lines: [JSONValue]
  let errors: String

  /// - Parameters:
  ///   - environment: all of it, so that nothing of the machine's has a say.
  ///   - event: when this is told, the run is interrupted as Ctrl-C does it.
  init(
    _ arguments: [String], environment: [String: String] = [:], interruptedAt event: String? = nil
  ) async {
    let output = Mutex("")
    let errors = Mutex("")
    let (moments, moment) = AsyncStream.makeStream(of: Void.self)
    let console = Console(
      isJSON: true,
      output: { text in
        output.withLock { $0 += text }
        if let event, text.contains("\"event\":\"\(event)\"") { moment.yield() }
      }, errors: { text in errors.withLock { $0 += text } })
    let work = Task { await Tool.perform(arguments, environment: environment, console: console) }
    let interruption = Task {
      for await _ in moments { work.cancel() }
    }
    status = await work.value
    moment.finish()
    await interruption.value
    text = output.withLock { $0 }
    lines = text.split(separator: "\n").map { line in
      (try? JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))) ?? .string(String(line))
    }
    self.errors = errors.withLock { $0 }
  }

  func events(_ name: String) -> [JSONValue] { lines.filter { $0["event"] == .string(name) } }
}
