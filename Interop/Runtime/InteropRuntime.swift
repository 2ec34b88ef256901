import Foundation

/// `interop-runtime 3.10|2.10 URL [PROCESS-GROUP]`: drives a running reactor-runtime of that line (see
/// Interop/peers/run-runtime.sh and run-legacy-runtime.sh) and prints one line a step. In the end it kills the
/// runtime's process group, when that is given. Exits with 1 if a step failed.
@main
enum InteropRuntime {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2, let generation = RuntimeGeneration(rawValue: arguments[0]) else {
      say("usage: interop-runtime 3.10|2.10 URL [PROCESS-GROUP]")
      exit(2)
    }
    let drive = RuntimeDrive(
      generation: generation, url: arguments[1],
      processGroup: arguments.dropFirst(2).first.flatMap { pid_t($0) })
    do {
      let passed = try await drive.run()
      say(drive.runner.summary)
      exit(passed ? 0 : 1)
    } catch {
      say("FAIL \(error)")
      exit(1)
    }
  }
}
