import Foundation

/// `interop-runtime URL [PROCESS-GROUP]`: drives a running reactor-runtime 3.10 (Interop/peer/run-runtime.sh) and
/// prints one line a step. In the end it kills the runtime's process group, when that is given. Exits with 1 if
/// a step failed.
@main
enum InteropRuntime {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let url = arguments.first else {
      say("usage: interop-runtime URL [PROCESS-GROUP]")
      exit(2)
    }
    let drive = RuntimeDrive(url: url, processGroup: arguments.dropFirst().first.flatMap { pid_t($0) })
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
