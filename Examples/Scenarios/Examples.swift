import Foundation
import Reactor

/// `swift run examples NUMBER` runs one of the seven scenarios, `swift run examples all` all of them; without an
/// argument it lists them.
@main
enum Examples {
  static func main() async {
    let word = CommandLine.arguments.dropFirst().first ?? ""
    let chosen: [Scenario] =
      if word == "all" {
        Scenario.all
      } else if let number = Int(word), Scenario.all.indices.contains(number - 1) {
        [Scenario.all[number - 1]]
      } else {
        []
      }
    guard !chosen.isEmpty else {
      print("usage: examples NUMBER|all")
      for (index, scenario) in Scenario.all.enumerated() { print("  \(index + 1)  \(scenario.title)") }
      print(
        "They use the runtime of `reactor serve`, unless REACTOR_API_KEY or REACTOR_API_URL says otherwise.")
      exit(2)
    }
    let surroundings = Surroundings(ProcessInfo.processInfo.environment)
    for scenario in chosen {
      do {
        print(try await scenario.run(surroundings))
      } catch {
        print("failed: \(scenario.title): \(error)")
        exit(1)
      }
    }
  }
}
