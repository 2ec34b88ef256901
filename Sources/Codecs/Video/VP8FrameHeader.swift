/// The first bytes of a VP8 frame (RFC 6386 section 9.1): what has to be known before it is decoded.
package struct VP8FrameHeader: Hashable, Sendable {
  package var isKeyframe: Bool
  /// Keyframes only.
  package var size: (width: Int, height: Int)? {
    isKeyframe ? (width, height) : nil
  }
  private var width = 0
  private var height = 0

  /// - Throws: `corrupt` when the bytes cannot be the start of a VP8 frame.
  package init(_ data: UnsafeRawBufferPointer) throws(CodecError) {
    guard data.count >= 3 else { throw .corrupt("VP8 frame of \(data.count) bytes") }
    let tag = Int(data[0]) | Int(data[1]) << 8 | Int(data[2]) << 16
    isKeyframe = tag & 1 == 0
    // Versions over 3 are reserved; the first partition must lie inside the frame.
    guard (tag >> 1) & 7 <= 3 else { throw .corrupt("VP8 version") }
    let headerLength = isKeyframe ? 10 : 3
    guard data.count > headerLength, tag >> 5 <= data.count - headerLength else {
      throw .corrupt("VP8 first partition longer than the frame")
    }
    guard isKeyframe else { return }
    guard data[3] == 0x9D, data[4] == 0x01, data[5] == 0x2A else { throw .corrupt("VP8 start code") }
    width = (Int(data[6]) | Int(data[7]) << 8) & 0x3FFF
    height = (Int(data[8]) | Int(data[9]) << 8) & 0x3FFF
    guard width > 0, height > 0 else { throw .corrupt("VP8 picture without size") }
  }

  package static func == (left: VP8FrameHeader, right: VP8FrameHeader) -> Bool {
    left.isKeyframe == right.isKeyframe && left.width == right.width && left.height == right.height
  }
}
