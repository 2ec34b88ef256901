import CPNG

/// Writes BGRA pixels as a PNG file, and reads them back.
package enum PNGImage {
  package struct FileError: Error, CustomStringConvertible {
    package let path: String
    package let reason: String
    package var description: String { "\(path): \(reason)" }
  }

  /// Reads the file back as BGRA.
  package static func read(_ path: String) throws(FileError) -> (pixels: [UInt8], width: Int, height: Int) {
    var width: UInt32 = 0
    var height: UInt32 = 0
    guard reactor_png_read_size(path, &width, &height) == 1 else {
      throw FileError(path: path, reason: "it is no PNG file")
    }
    var pixels = [UInt8](repeating: 0, count: Int(width) * Int(height) * 4)
    guard reactor_png_read_bgra(path, &pixels, pixels.count) == 1 else {
      throw FileError(path: path, reason: "it is damaged")
    }
    return (pixels, Int(width), Int(height))
  }

  /// `pixels` holds `width` × `height` × 4 bytes, BGRA.
  package static func write(_ pixels: [UInt8], width: Int, height: Int, to path: String) throws(FileError) {
    guard width > 0, height > 0, pixels.count == width * height * 4 else {
      throw FileError(
        path: path, reason: "\(pixels.count) bytes are not a picture of \(width) x \(height) x 4")
    }
    var message = [CChar](repeating: 0, count: 128)
    let written = reactor_png_write_bgra(path, pixels, UInt32(width), UInt32(height), &message, message.count)
    guard written == 1 else {
      let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw FileError(path: path, reason: String(decoding: text, as: UTF8.self))
    }
  }
}
