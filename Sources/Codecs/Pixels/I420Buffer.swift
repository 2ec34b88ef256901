/// One 4:2:0 picture in one allocation: a luma plane and two chroma planes of half the size, rounded up.
///
/// Rows begin at multiples of 64 bytes, so that SIMD loads and the encoder's copies never straddle lines.
///
/// `@unchecked Sendable`: a buffer has one owner at a time. It goes from the pool to the thread that fills
/// it, through a mailbox (a lock) to the thread that reads it, and through the pool (a lock) back. Nothing
/// keeps a reference across a hand-over.
package final class I420Buffer: PooledPicture, @unchecked Sendable {
  package let width: Int
  package let height: Int
  package let yStride: Int
  package let chromaStride: Int
  private let storage: UnsafeMutableRawPointer

  /// - Throws: `pictureTooLarge` outside `PictureLimit`.
  package init(width: Int, height: Int) throws(CodecError) {
    guard PictureLimit.allows(width: width, height: height) else {
      throw .pictureTooLarge(width: width, height: height)
    }
    self.width = width
    self.height = height
    yStride = Self.aligned(width)
    chromaStride = Self.aligned((width + 1) / 2)
    let bytes = yStride * height + 2 * chromaStride * ((height + 1) / 2)
    storage = .allocate(byteCount: bytes, alignment: 64)
    // The padding of each row is read by the encoder's block copies: it must hold something.
    storage.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
  }

  deinit {
    storage.deallocate()
  }

  package var chromaWidth: Int { (width + 1) / 2 }
  package var chromaHeight: Int { (height + 1) / 2 }

  package var y: UnsafeMutablePointer<UInt8> { storage.assumingMemoryBound(to: UInt8.self) }
  package var u: UnsafeMutablePointer<UInt8> { y + yStride * height }
  package var v: UnsafeMutablePointer<UInt8> { u + chromaStride * chromaHeight }

  /// Lends a look at the picture to `body`; it is valid until `body` returns, while nobody writes to the picture.
  package func withView<Result, Failure>(
    _ body: (I420View) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The view holds pointers only: they alone would not keep the buffer.
    defer { withExtendedLifetime(self) {} }
    return try body(
      I420View(
        width: width, height: height, y: y, u: u, v: v, yStride: yStride, uStride: chromaStride,
        vStride: chromaStride))
  }

  private static func aligned(_ count: Int) -> Int { (count + 63) & ~63 }
}
