import ReactorLocalRuntime
import Testing

import examples

/// The examples as users run them, with a runtime in this process.
@Suite(.serialized) struct ScenarioTests {
  @Test(arguments: 1...7) func `each scenario does what it says with the local runtime`(
    number: Int
  ) async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 320, height: 180))
    let surroundings = Surroundings(localRuntime: runtime.url, seconds: 0.5)
    let outcome: String
    do {
      outcome = try await Scenario.all[number - 1].run(surroundings)
    } catch {
      await runtime.stop()
      throw error
    }
    await runtime.stop()
    switch number {
    case 1: #expect(outcome.hasSuffix("prompt_accepted"))
    case 2: #expect(outcome.hasSuffix("the model saw 50000 bytes"))
    case 3: #expect(outcome.contains(" 0 in a second of pause"))
    case 4: #expect(!outcome.contains(", 0 came back"))
    case 5: #expect(outcome.hasPrefix("one session"))
    case 6: #expect(outcome == "this runtime records nothing")
    default: #expect(outcome.contains("tag {\"index\":"))
    }
  }
}
