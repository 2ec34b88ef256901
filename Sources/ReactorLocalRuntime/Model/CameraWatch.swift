/// Tells a camera that is pushed to from one that has fallen silent, by the model's own ticks: it has no clock.
package struct CameraWatch {
  /// What a tick finds.
  package enum Finding: Sendable, Hashable {
    /// A picture that was not there at the last tick.
    case fresh
    /// None, but one was there a moment ago.
    case late
    /// Nobody pushes.
    case gone
  }

  private let patience: Int
  private var seen = 0
  private var missed: Int

  /// - Parameter patience: ticks without a picture before the camera counts as gone.
  package init(patience: Int) {
    self.patience = patience
    missed = patience
  }

  /// - Parameters:
  ///   - count: how many pictures there have been; nil before the first.
  ///   - isPublished: whether somebody holds the track's slot. Pictures that arrive after it was given back do
  ///     not count.
  package mutating func look(count: Int?, isPublished: Bool) -> Finding {
    let count = count ?? 0
    defer { seen = count }
    guard isPublished else {
      missed = patience
      return .gone
    }
    if count != seen {
      missed = 0
      return .fresh
    }
    if missed < patience { missed += 1 }
    return missed < patience ? .late : .gone
  }
}
