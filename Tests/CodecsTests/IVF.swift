import TestSupport

/// Frames of an IVF file: 32 bytes of header, then 12 bytes before each frame, of which 4 are its length.
func ivfFrames(_ path: String) throws -> [[UInt8]] {
  let bytes = try Fixture.bytes(path)
  var frames: [[UInt8]] = []
  var position = 32
  while position + 12 <= bytes.count {
    let length = (0..<4).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
    position += 12
    guard position + length <= bytes.count else { break }
    frames.append(Array(bytes[position..<position + length]))
    position += length
  }
  return frames
}
