/// How a picture's samples become colours, in the numbers of ITU-T H.273.
///
/// libwebrtc's `color-space` extension, on the last packet of a keyframe and of a frame that changes it. A peer
/// that negotiated it may send what VP8 cannot announce itself: browsers do, of a canvas.
package struct VideoColourSpace: Hashable, Sendable {
  /// Primaries, transfer and matrix, a byte each; then the range and the place of the chroma samples.
  package var rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The matrix coefficients: 1 is BT.709, 5 and 6 are BT.601, 9 is BT.2020.
  package var matrix: UInt8 { UInt8(truncatingIfNeeded: rawValue &>> 8) }

  /// Whether samples use all 256 values; nil when that is not said.
  package var isFullRange: Bool? {
    switch rawValue &>> 4 & 3 {
    case 1: false
    case 2: true
    default: nil
    }
  }
}
