import Reactor
import ReactorLocalRuntime

/// Work that must be done even in a task that was cancelled by Ctrl-C.
enum Ending {
  static func leave(_ reactor: Reactor) async {
    await Task {
      try? await reactor.disconnect()
      reactor.close()
    }.value
  }

  static func stop(_ runtime: LocalRuntime) async {
    await Task { await runtime.stop() }.value
  }
}
