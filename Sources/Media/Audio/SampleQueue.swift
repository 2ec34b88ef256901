/// Interleaved samples, first in, first out. Samples that were read are cleared away in large pieces, so that
/// neither end costs an allocation or a long move a packet.
package struct SampleQueue {
  private var samples: [Int16] = []
  private var start = 0

  package init() {}

  package var count: Int { samples.count - start }

  package mutating func append(_ more: UnsafeBufferPointer<Int16>) {
    compact()
    samples.append(contentsOf: more)
  }

  package mutating func append(zeros count: Int) {
    compact()
    samples.append(contentsOf: repeatElement(0, count: max(0, count)))
  }

  /// Lends the first `count` samples to `body` and removes them. `count` must not exceed `self.count`.
  package mutating func read<Result>(_ count: Int, _ body: (UnsafeBufferPointer<Int16>) -> Result) -> Result {
    let range = start..<start + count
    start += count
    return samples.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Keeps only the first `count` samples.
  package mutating func truncate(to count: Int) {
    if count < self.count { samples.removeLast(self.count - max(0, count)) }
  }

  package mutating func removeAll() {
    samples.removeAll(keepingCapacity: true)
    start = 0
  }

  /// Turns mono into stereo, or the other way round.
  package mutating func remix(from channels: Int, to wanted: Int) {
    let old = Array(samples[start...])
    removeAll()
    if channels == 1, wanted == 2 {
      for sample in old {
        samples.append(sample)
        samples.append(sample)
      }
    } else if channels == 2, wanted == 1 {
      for index in stride(from: 0, to: old.count - 1, by: 2) {
        samples.append(Int16((Int(old[index]) + Int(old[index + 1])) / 2))
      }
    } else {
      samples = old
    }
  }

  private mutating func compact() {
    guard start > 0, start >= samples.count / 2 else { return }
    samples.removeSubrange(0..<start)
    start = 0
  }
}
