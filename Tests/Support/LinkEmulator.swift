import WireFormat

/// One direction of a network path on the virtual clock: it loses, delays, reorders and duplicates what is
/// put in, repeatably, and gives each item back when its time has come.
///
/// A bottleneck (`bitsPerSecond`) has a drop-tail queue of `queueBytes`, as routers do.
package struct LinkEmulator<Item> {
  package struct Conditions: Sendable {
    /// Share of items lost at random, 0 to 1.
    package var loss = 0.0
    /// Once a loss happens, the chance that the next item is lost too (burst loss); nil: independent.
    package var burstContinuation: Double?
    package var delayMilliseconds = 0.0
    /// Uniform extra delay from 0 up to this. Order is kept unless `reorder` says otherwise.
    package var jitterMilliseconds = 0.0
    /// Share of items that skip the queue's order: they are held back by `reorderMilliseconds` more.
    package var reorder = 0.0
    package var reorderMilliseconds = 5.0
    package var duplication = 0.0
    /// nil: no bottleneck.
    package var bitsPerSecond: Double?
    package var queueBytes = 64 * 1024
    /// While true everything is lost: an outage.
    package var isDown = false

    package init() {}
  }

  package var conditions: Conditions
  package var random: RandomSource
  private var inFlight: [(due: Instant, order: Int, item: Item)] = []
  /// Items before this one are delivered; they are cleared away now and then, not one by one.
  private var head = 0
  private var counter = 0
  private var isInBurst = false
  private var bottleneckFreeAt = Instant.origin
  private var lastDue = Instant.origin

  package private(set) var sent = 0
  package private(set) var lost = 0
  package private(set) var droppedAtQueue = 0
  package private(set) var delivered = 0

  package init(_ conditions: Conditions = Conditions(), seed: UInt64) {
    self.conditions = conditions
    random = RandomSource(seed: seed)
  }

  /// How long the bottleneck's queue is at `now`.
  package func queueDelay(at now: Instant) -> Interval {
    max(.zero, bottleneckFreeAt - now)
  }

  package mutating func send(_ item: Item, bytes: Int, at now: Instant) {
    sent += 1
    guard !conditions.isDown, !isLost() else {
      lost += 1
      return
    }
    var departure = now
    if let rate = conditions.bitsPerSecond, rate > 0 {
      let backlog = max(.zero, bottleneckFreeAt - now)
      let backlogBytes = backlog.inSeconds * rate / 8
      if backlogBytes + Double(bytes) > Double(conditions.queueBytes) {
        droppedAtQueue += 1
        return
      }
      departure = max(now, bottleneckFreeAt) + .seconds(Double(bytes) * 8 / rate)
      bottleneckFreeAt = departure
    }
    let jitter = conditions.jitterMilliseconds * random.unit()
    var due = max(lastDue, departure + .milliseconds(conditions.delayMilliseconds + jitter))
    if conditions.reorder > 0, random.unit() < conditions.reorder {
      due = due + .milliseconds(conditions.reorderMilliseconds)
    } else {
      lastDue = due
    }
    enqueue(item, due: due)
    if conditions.duplication > 0, random.unit() < conditions.duplication {
      enqueue(item, due: due + .microseconds(100))
    }
  }

  /// When the next item arrives.
  package var nextArrival: Instant? { head < inFlight.count ? inFlight[head].due : nil }

  /// The next item that has arrived by `now`.
  package mutating func receive(at now: Instant) -> Item? {
    guard head < inFlight.count, inFlight[head].due <= now else { return nil }
    let first = inFlight[head]
    head += 1
    if head >= 256, head * 2 >= inFlight.count {
      inFlight.removeFirst(head)
      head = 0
    }
    delivered += 1
    return first.item
  }

  private mutating func enqueue(_ item: Item, due: Instant) {
    counter += 1
    var index = inFlight.count
    while index > head, inFlight[index - 1].due > due { index -= 1 }
    inFlight.insert((due, counter, item), at: index)
  }

  private mutating func isLost() -> Bool {
    if let continuation = conditions.burstContinuation, isInBurst {
      isInBurst = random.unit() < continuation
      return isInBurst
    }
    let hit = conditions.loss > 0 && random.unit() < conditions.loss
    isInBurst = hit
    return hit
  }
}
