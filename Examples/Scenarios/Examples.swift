import Foundation
import Reactor

/// `swift run examples NUMBER` runs one of the seven scenarios; without a number it lists them.
@main
enum Examples {
  static func main() async {
    let scenarios = Scenario.all
    guard let word = CommandLine.arguments.dropFirst().first, let number = Int(word),
      scenarios.indices.contains(number - 1)
    else {
      print("usage: examples NUMBER")
      for (index, scenario) in scenarios.enumerated() { print("  \(index + 1)  \(scenario.title)") }
      print(
        "They use the runtime of `reactor serve`, unless REACTOR_API_KEY or REACTOR_API_URL says otherwise.")
      exit(2)
    }
    do {
      print(try await scenarios[number - 1].run(Surroundings(ProcessInfo.processInfo.environment)))
    } catch {
      print("failed: \(error)")
      exit(1)
    }
  }
}
