/// One stream of work of `FrameThreads`: while it waits or runs, it is not queued again.
///
/// `@unchecked Sendable`: its variables are read and written only under the lock of its threads.
package final class FrameLane: @unchecked Sendable {
  package enum Kind: Sendable {
    /// Runs as soon as there is something to do, beside everything else.
    case decoding
    /// Runs in its order among all handlers.
    case handler
  }

  /// What a turn left behind.
  package struct Outcome: Sendable {
    /// Another turn is wanted, after those that wait already.
    package var hasMore: Bool
    /// A lane that has something to do now. The same thread sees to it when it may.
    package var next: FrameLane?

    package init(hasMore: Bool, next: FrameLane? = nil) {
      self.hasMore = hasMore
      self.next = next
    }
  }

  package typealias Turn = @Sendable () -> Outcome

  enum Phase {
    case idle
    case queued
    case running
    /// Something new came while it ran.
    case runningAgain
  }

  let kind: Kind
  var turn: Turn?
  var phase = Phase.idle
  var isOver = false
  /// The thread that runs it, or ran it last.
  var worker = 0

  init(_ kind: Kind, _ turn: @escaping Turn) {
    self.kind = kind
    self.turn = turn
  }
}
