/// The index at the end of a VP9 superframe (VP9 bitstream specification, annex B): several frames in one.
package enum VP9Superframe {
  /// Where each frame of `data` lies. A frame that is no superframe is the one range of itself.
  package static func frames(in data: UnsafeRawBufferPointer) -> [Range<Int>] {
    guard let marker = data.last, marker & 0xE0 == 0xC0 else { return [0..<data.count] }
    let count = Int(marker & 7) + 1
    let width = Int(marker >> 3 & 3) + 1
    let indexLength = 2 + count * width
    guard data.count >= indexLength, data[data.count - indexLength] == marker else {
      return [0..<data.count]
    }
    var frames: [Range<Int>] = []
    var position = data.count - indexLength + 1
    var start = 0
    for _ in 0..<count {
      var size = 0
      for byte in 0..<width { size |= Int(data[position + byte]) << (8 * byte) }
      position += width
      guard size <= data.count - indexLength - start else { return [] }
      if size > 0 { frames.append(start..<start + size) }
      start += size
    }
    return frames
  }
}
