import Foundation
import Reactor
import ReactorToolSupport

/// `reactor`, the command-line tool.
@main
package enum Tool {
  private static let commands: [any Command.Type] = [
    DemoCommand.self, RunCommand.self, ServeCommand.self, SchemaCommand.self, TokenCommand.self,
    DoctorCommand.self,
  ]

  package static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let console = Console(isJSON: arguments.contains("--json"))
    let environment = ProcessInfo.processInfo.environment
    let work = Task { await perform(arguments, environment: environment, console: console) }
    let interruption = Interruption { work.cancel() }
    let status = await work.value
    interruption.stop()
    exit(status.rawValue)
  }

  /// Does what the command line says, until it is done or its task is cancelled.
  package static func perform(
    _ arguments: [String], environment: [String: String], console: Console
  ) async -> ToolStatus {
    let asksHelp = arguments.contains { $0 == "--help" || $0 == "-h" }
    if arguments.first == "--version" {
      console.line("reactor \(ReactorSDK.version)")
      return .success
    }
    let asked = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
    guard let word = asked, let command = commands.first(where: { $0.description.name == word }) else {
      if asksHelp || arguments == ["help"] {
        console.line(overview)
        return .success
      }
      console.complain(
        arguments.isEmpty ? overview : "reactor: there is no command '\(asked ?? "")'.\n\n\(overview)")
      return .usage
    }
    if asksHelp || arguments.first == "help" {
      console.line(command.description.help)
      return .success
    }
    do {
      let options = try CommandLineOptions(
        Array(arguments.dropFirst()), known: command.description.options, environment: environment)
      guard options.positional.isEmpty else {
        throw UsageError("'\(options.positional[0])' is no option; options begin with --")
      }
      return try await command.run(options, console: console)
    } catch let error as UsageError {
      console.complain("reactor \(word): \(error)\nTry: reactor \(word) --help")
      return .usage
    } catch {
      if Task.isCancelled {
        console.complain("reactor \(word): interrupted")
        return .interrupted
      }
      console.failure(error, in: word)
      return .failure
    }
  }

  private static var overview: String {
    let descriptions = commands.map { $0.description }
    let width = descriptions.map(\.name.count).max() ?? 0
    let list = descriptions.map { description in
      let gap = String(repeating: " ", count: width - description.name.count + 2)
      return "  \(description.name)\(gap)\(description.summary)"
    }
    return """
      reactor: run live models from a terminal.

      Usage: reactor COMMAND [options]      reactor COMMAND --help

      \(list.joined(separator: "\n"))

      New here? `reactor demo` needs no account and no GPU: it starts a runtime in
      this process, sends it video and shows what comes back. Then, in two terminals:

        reactor serve
        reactor run --local --model reactor/echo --push pattern --seconds 5

      For the hosted platform set REACTOR_API_KEY (or REACTOR_JWT) and name a model:

        reactor run --model reactor/helios --command set_prompt '{"prompt": "a red fox"}'

      Exit status: 0 done; 1 it failed, and the last line says why; 2 the command line
      is wrong; 130 interrupted before it was done.
      """
  }
}
