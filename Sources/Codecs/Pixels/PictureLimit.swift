/// The largest picture that is decoded, encoded or converted.
///
/// A keyframe of 30 bytes can announce 16 383 × 16 383 pixels (VP8) or 65 536 × 65 536 (VP9): the announced
/// size is held against this limit before anything is allocated for it.
package enum PictureLimit {
  package static let width = 8192
  package static let height = 8192
  /// Bytes of one I420 picture.
  package static let bytes = 64 << 20

  /// Whether a picture of this size may exist: at least 1 × 1, within all three limits.
  package static func allows(width: Int, height: Int) -> Bool {
    guard width > 0, height > 0, width <= Self.width, height <= Self.height else { return false }
    let chroma = ((width + 1) / 2) * ((height + 1) / 2)
    return width * height + 2 * chroma <= bytes
  }
}
