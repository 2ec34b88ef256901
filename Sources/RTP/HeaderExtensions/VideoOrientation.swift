/// How a picture has to be turned to stand upright (3GPP TS 26.114, section 7.4.5).
package struct VideoOrientation: Hashable, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Clockwise degrees to turn the picture by before display: 0, 90, 180 or 270.
  package var rotation: Int { Int(rawValue & 3) &* 90 }
  /// Whether the picture is mirrored left to right.
  package var isFlipped: Bool { rawValue & 4 != 0 }
  /// Whether it comes from the camera at the back.
  package var isBackFacing: Bool { rawValue & 8 != 0 }
}
