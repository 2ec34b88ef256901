import Codecs

/// Keeps pictures of one size for reuse, so that a frame costs no allocation in steady state.
///
/// At most `limit` pictures wait; those given back beyond that, or of another size than the last one asked
/// for, are freed. The one given back last goes out first: it is still in the cache. Any thread may call.
package final class PicturePool<Picture: PooledPicture>: Sendable {
  private struct State: Sendable {
    var width = 0
    var height = 0
    var free: [Picture] = []
    var allocations = 0
  }

  private let limit: Int
  private let state: Monitor<State>

  /// - Parameter limit: one being filled, one in the mailbox, one being read, and one spare.
  package init(limit: Int = 4) {
    self.limit = limit
    var initial = State()
    initial.free.reserveCapacity(limit)
    state = Monitor(initial)
  }

  /// A picture of this size; what it shows is left over from earlier.
  package func take(width: Int, height: Int) throws(CodecError) -> Picture {
    let reused = state.withLock { state -> Picture? in
      if state.width != width || state.height != height {
        state.width = width
        state.height = height
        state.free.removeAll(keepingCapacity: true)
      }
      if let picture = state.free.popLast() { return picture }
      state.allocations &+= 1
      return nil
    }
    if let reused { return reused }
    return try Picture(width: width, height: height)
  }

  package func give(_ picture: Picture) {
    state.withLock { state in
      guard picture.width == state.width, picture.height == state.height, state.free.count < limit else {
        return
      }
      state.free.append(picture)
    }
  }

  /// How many pictures had to be allocated, for benchmarks and tests.
  package var allocations: Int { state.withLock { $0.allocations } }
}
