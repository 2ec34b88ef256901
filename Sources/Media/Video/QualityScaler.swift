/// Chooses how large the encoded picture is, from how coarsely it had to be quantized.
///
/// A bitrate that cannot carry the size shows as quantizers near the coarse end and as frames left out by
/// rate control; a smaller picture then looks better. Down after `downAfter` of coarse frames. Up after
/// `upAfter` of fine ones, and when going up turned out wrong (down again within `retryWindow`), twice as
/// long the next time, so that the size does not swing.
package struct QualityScaler {
  /// Width and height are multiplied by `numerator / denominator`.
  package struct Scale: Hashable {
    package var numerator: Int
    package var denominator: Int
  }

  package static let scales = [
    Scale(numerator: 1, denominator: 1), Scale(numerator: 3, denominator: 4),
    Scale(numerator: 1, denominator: 2), Scale(numerator: 3, denominator: 8),
    Scale(numerator: 1, denominator: 4),
  ]
  package static let downAfterUs: Int64 = 2_000_000
  package static let upAfterUs: Int64 = 5_000_000
  package static let longestUpAfterUs: Int64 = 120_000_000
  package static let retryWindowUs: Int64 = 20_000_000
  /// Neither side gets smaller than this.
  package static let smallestSide = 90
  /// Bits a pixel under which no frame rate controller can keep a picture recognisable.
  package static let leastBitsPerPixel = 0.012

  /// Means of quantizers as shares of the codec's scale.
  private let coarse: Double
  private let fine: Double

  package private(set) var step = 0
  private var windowStart: Int64?
  private var lastNote: Int64 = 0
  private var sum = 0.0
  private var count = 0
  private var fineSince: Int64?
  private var lastUp: Int64?
  private var upAfter = QualityScaler.upAfterUs

  /// - Parameter isVP9: its quantizer scale is steeper at the fine end than VP8's.
  package init(isVP9: Bool) {
    coarse = isVP9 ? 0.80 : 0.75
    fine = isVP9 ? 0.55 : 0.23
  }

  /// Before the first picture of a size: the largest scale that the bitrate can possibly carry.
  package mutating func start(width: Int, height: Int, bitrateBPS: Int, framesPerSecond: Double) {
    step = 0
    clear()
    while canShrink(width: width, height: height) {
      let size = Self.size(width: width, height: height, step: step)
      let pixels = Double(size.width * size.height) * max(1, framesPerSecond)
      if Double(bitrateBPS) >= Self.leastBitsPerPixel * pixels { return }
      step += 1
    }
  }

  /// Takes note of one picture. Returns whether `step` changed.
  ///
  /// - Parameter quantizer: share of the codec's scale, 0…1; nil for one that rate control left out.
  package mutating func note(quantizer: Double?, atUs now: Int64, width: Int, height: Int) -> Bool {
    defer { lastNote = now }
    // What was before a pause in pushing says nothing about now.
    guard let start = windowStart, now - lastNote < Self.downAfterUs else {
      clear()
      windowStart = now
      return false
    }
    sum += quantizer ?? 1
    count += 1
    guard now - start >= Self.downAfterUs, count >= 5 else { return false }
    let mean = sum / Double(count)
    windowStart = now
    sum = 0
    count = 0
    if mean >= coarse {
      fineSince = nil
      guard canShrink(width: width, height: height) else { return false }
      if let lastUp, now - lastUp < Self.retryWindowUs {
        upAfter = min(upAfter * 2, Self.longestUpAfterUs)
      }
      step += 1
      clear()
      return true
    }
    guard mean <= fine, step > 0 else {
      fineSince = nil
      return false
    }
    let since = fineSince ?? start
    fineSince = since
    guard now - since >= upAfter else { return false }
    step -= 1
    lastUp = now
    clear()
    return true
  }

  /// The encoded size at `step`: even, where it is not the original one.
  package static func size(width: Int, height: Int, step: Int) -> (width: Int, height: Int) {
    let scale = scales[max(0, min(step, scales.count - 1))]
    if scale.numerator == scale.denominator { return (width, height) }
    return (
      max(2, width * scale.numerator / scale.denominator & ~1),
      max(2, height * scale.numerator / scale.denominator & ~1)
    )
  }

  private func canShrink(width: Int, height: Int) -> Bool {
    guard step + 1 < Self.scales.count else { return false }
    let size = Self.size(width: width, height: height, step: step + 1)
    return min(size.width, size.height) >= Self.smallestSide
  }

  private mutating func clear() {
    windowStart = nil
    sum = 0
    count = 0
    fineSince = nil
  }
}
