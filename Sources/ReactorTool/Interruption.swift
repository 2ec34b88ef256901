import Dispatch
import Foundation

/// Ctrl-C and SIGTERM: the first ends the work in order, the second ends the process.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  init(_ handler: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "reactor.interruption")
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    for source in sources {
      source.setEventHandler {
        // From here on the same signal has its ordinary effect, so that a program that hangs can be ended.
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
        handler()
      }
      source.resume()
    }
  }

  func stop() {
    for source in sources { source.cancel() }
  }
}
