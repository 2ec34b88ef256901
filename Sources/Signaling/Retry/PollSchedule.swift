import WireFormat

/// When to ask again for what is not ready yet.
///
/// The documented waits start at 200 ms, although the answer is often there after 5 to 100 ms: four finer ones
/// come first. That is four small requests more a connect, and none at all where the first finds the answer.
package struct PollSchedule: Sendable {
  private static let fine: [Interval] = [10, 20, 40, 80].map { .milliseconds($0) }

  private var index = 0
  private let fine: [Interval]
  private let doublingCount: Int
  private let cap: Interval

  private init(fine: [Interval] = PollSchedule.fine, doublingCount: Int, cap: Interval) {
    self.fine = fine
    self.doublingCount = doublingCount
    self.cap = cap
  }

  /// A session becoming ready: 10, 20, 40, 80 ms, then 200 ms doubling up to 10 s, 20 times: about 153 s.
  package static let session = PollSchedule(doublingCount: 20, cap: .seconds(10))
  /// The answer to an offer: 10, 20, 40, 80 ms, then 200 ms doubling up to 15 s, 6 times: about 13 s.
  package static let answer = PollSchedule(doublingCount: 6, cap: .seconds(15))

  /// The same towards a runtime on this machine or network, which is this user's own: it answers within 60 to
  /// 160 ms, and asking each 10 ms for the first 250 ms costs it nothing that matters.
  package static let localAnswer = PollSchedule(
    fine: Array(repeating: .milliseconds(10), count: 25), doublingCount: 6, cap: .seconds(15))

  /// How long to wait before asking again; nil: give up.
  package mutating func nextWait() -> Interval? {
    defer { index += 1 }
    if index < fine.count { return fine[index] }
    let step = index - fine.count
    guard step < doublingCount else { return nil }
    return min(cap, .milliseconds(Int64(200) << Int64(min(step, 20))))
  }
}
