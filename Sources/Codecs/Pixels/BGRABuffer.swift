/// One BGRA picture: rows of `4 × width` bytes without gaps, which is what users get to see.
///
/// `@unchecked Sendable`: as for `I420Buffer`, one owner at a time, and every hand-over goes through a lock.
package final class BGRABuffer: PooledPicture, @unchecked Sendable {
  package let width: Int
  package let height: Int
  package let bytes: UnsafeMutableRawBufferPointer

  /// - Throws: `pictureTooLarge` outside `PictureLimit`.
  package init(width: Int, height: Int) throws(CodecError) {
    guard PictureLimit.allows(width: width, height: height) else {
      throw .pictureTooLarge(width: width, height: height)
    }
    self.width = width
    self.height = height
    bytes = .allocate(byteCount: 4 * width * height, alignment: 64)
  }

  deinit {
    bytes.deallocate()
  }

  package var stride: Int { 4 * width }
}
