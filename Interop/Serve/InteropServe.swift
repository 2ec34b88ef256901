import Foundation
import ReactorLocalRuntime

/// `interop-serve PORT`: the local runtime with its echo model on 127.0.0.1, until it is told to stop.
@main
enum InteropServe {
  static func main() async throws {
    guard let port = CommandLine.arguments.dropFirst().first.flatMap({ UInt16($0) }) else {
      print("usage: interop-serve PORT")
      exit(2)
    }
    var configuration = LocalRuntimeConfiguration()
    configuration.port = port
    let runtime = try LocalRuntime(model: EchoModel(), configuration: configuration)
    FileHandle.standardOutput.write(Data("local runtime ready: \(runtime.url)\n".utf8))
    let stop = AsyncStream<Void> { continuation in
      let sources = [SIGTERM, SIGINT].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler { continuation.finish() }
        source.activate()
        return UncheckedSource(source)
      }
      continuation.onTermination = { _ in withExtendedLifetime(sources) {} }
    }
    for await _ in stop {}
    await runtime.stop()
  }

  /// Dispatch sources may be held anywhere.
  private struct UncheckedSource: @unchecked Sendable {
    let source: any DispatchSourceSignal
    init(_ source: any DispatchSourceSignal) { self.source = source }
  }
}
