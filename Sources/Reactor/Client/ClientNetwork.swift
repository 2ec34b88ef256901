import Media
import PeerConnection
import ReactorTypes
import Synchronization

/// A client's threads: the network thread and a frame thread, made when they are first needed.
final class ClientNetwork: Sendable {
  private struct State {
    var loop: NetworkLoop?
    var frameThreads: FrameThreads?
    var lastAnswerUfrag: String?
    var isClosed = false
  }

  private let state = Mutex(State())

  func loop() throws -> NetworkLoop {
    try state.withLock { state in
      if let loop = state.loop { return loop }
      guard !state.isClosed else { throw ReactorError(.invalidState, "the client is closed") }
      do {
        let made = try NetworkLoop()
        state.loop = made
        return made
      } catch {
        throw ReactorError(.internalError, "the network thread cannot be made: \(error)")
      }
    }
  }

  var frameThreads: FrameThreads {
    state.withLock { state in
      if let frameThreads = state.frameThreads { return frameThreads }
      let made = FrameThreads(name: "reactor-frames")
      state.frameThreads = made
      return made
    }
  }

  /// Tells an answer to an earlier offer, which a runtime may still hand out, from the new one.
  var lastAnswerUfrag: Substring? {
    get { state.withLock { $0.lastAnswerUfrag.map { Substring($0) } } }
    set { state.withLock { $0.lastAnswerUfrag = newValue.map(String.init) } }
  }

  /// Ends both threads. Called from one of them, that one ends by itself.
  func close() {
    let (loop, frameThreads) = state.withLock { state in
      defer {
        state.loop = nil
        state.frameThreads = nil
        state.isClosed = true
      }
      return (state.loop, state.frameThreads)
    }
    frameThreads?.close()
    loop?.stop()
  }
}
