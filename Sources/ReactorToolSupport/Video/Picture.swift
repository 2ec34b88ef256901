/// A picture to push.
package struct Picture: Sendable {
  /// BGRA, `width` × `height` × 4 bytes.
  package let pixels: [UInt8]
  package let width: Int
  package let height: Int

  package init(pixels: [UInt8], width: Int, height: Int) {
    self.pixels = pixels
    self.width = width
    self.height = height
  }
}

/// Where pictures to push come from.
package protocol PictureSource: Sendable {
  /// Above zero.
  var framesPerSecond: Double { get }
  /// The next picture; nil at the end. May wait for a file.
  func next() throws -> Picture?
}
