import WireFormat

/// Whether the sender uses markedly less than it may: then the acknowledged rate says nothing of the path.
package struct ApplicationLimitDetector: Sendable {
  private static let window = Interval.milliseconds(500)
  private static let slot = Interval.milliseconds(50)
  private static let slotCount = 10
  private static let enter = 0.65
  private static let leave = 0.8

  private var slots = [Int](repeating: 0, count: ApplicationLimitDetector.slotCount)
  private var slotIndex: Int64 = 0
  private var startedAt: Instant?

  /// Since when; nil: not limited.
  package private(set) var limitedSince: Instant?

  package init() {}

  package var isLimited: Bool { limitedSince != nil }

  package mutating func add(bytes: Int, at now: Instant) {
    if startedAt == nil { startedAt = now }
    advance(to: now)
    slots[Int(slotIndex % Int64(slots.count))] += bytes
  }

  package mutating func update(targetBitrate: Double, at now: Instant) {
    guard let startedAt, now - startedAt >= ApplicationLimitDetector.window, targetBitrate > 0 else { return }
    advance(to: now)
    // The slot that is being filled now counts with the share of it that has gone by.
    let partial = Double((now - .origin).nanoseconds % ApplicationLimitDetector.slot.nanoseconds) / 1e9
    let span = Double(slots.count - 1) * ApplicationLimitDetector.slot.inSeconds + partial
    let used = Double(slots.reduce(0, +)) * 8 / span / targetBitrate
    if used < ApplicationLimitDetector.enter {
      limitedSince = limitedSince ?? now
    } else if used > ApplicationLimitDetector.leave {
      limitedSince = nil
    }
  }

  private mutating func advance(to now: Instant) {
    let index = max(slotIndex, (now - .origin).nanoseconds / ApplicationLimitDetector.slot.nanoseconds)
    let steps = min(index - slotIndex, Int64(slots.count))
    for step in 0..<steps { slots[Int((index - step) % Int64(slots.count))] = 0 }
    slotIndex = index
  }
}
