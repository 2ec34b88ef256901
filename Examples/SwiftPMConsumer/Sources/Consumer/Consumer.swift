import Reactor
import ReactorLocalRuntime

/// Connects to a runtime in this process and prints the first ten frames. Fails if fewer come.
@main
enum Consumer {
  static func main() async throws {
    let runtime = try LocalRuntime(model: EchoModel())
    let reactor = try Reactor(model: "reactor/echo", apiURL: runtime.url, local: true)
    let frames = try reactor.track("main_video").frameScope()
    try await reactor.connect()
    var count = 0
    for try await frame in frames {
      count += 1
      print("frame \(frame.frameID): \(frame.width) x \(frame.height)")
      if count == 10 { break }
    }
    try await reactor.disconnect()
    await runtime.stop()
    guard count == 10 else { throw ReactorError(.disconnected, "only \(count) frames came") }
  }
}
