import Synchronization

/// The moving pattern, without an end.
package final class PatternSource: PictureSource {
  private struct State {
    var pattern: StripePattern
    var index = 0
  }

  package let framesPerSecond: Double
  private let state: Mutex<State>

  package init(width: Int = 640, height: Int = 360, framesPerSecond: Double = 30) {
    self.framesPerSecond = framesPerSecond
    state = Mutex(State(pattern: StripePattern(width: width, height: height)))
  }

  package func next() -> Picture? {
    state.withLock { state in
      defer { state.index += 1 }
      let pixels = state.pattern.draw(state.index)
      return Picture(pixels: pixels, width: state.pattern.width, height: state.pattern.height)
    }
  }
}
