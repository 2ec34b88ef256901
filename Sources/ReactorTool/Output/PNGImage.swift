import CPNG

/// Writes BGRA pixels as a PNG file.
enum PNGImage {
  struct WriteError: Error, CustomStringConvertible {
    let path: String
    let reason: String
    var description: String { "cannot write \(path): \(reason)" }
  }

  /// `pixels` holds `width` × `height` × 4 bytes, BGRA.
  static func write(_ pixels: [UInt8], width: Int, height: Int, to path: String) throws(WriteError) {
    guard width > 0, height > 0, pixels.count == width * height * 4 else {
      throw WriteError(
        path: path, reason: "\(pixels.count) bytes are not a picture of \(width) x \(height) x 4")
    }
    var message = [CChar](repeating: 0, count: 128)
    let written = reactor_png_write_bgra(path, pixels, UInt32(width), UInt32(height), &message, message.count)
    guard written == 1 else {
      let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw WriteError(path: path, reason: String(decoding: text, as: UTF8.self))
    }
  }
}
