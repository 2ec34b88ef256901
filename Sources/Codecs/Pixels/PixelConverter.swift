import CYUV

/// Conversions between BGRA (bytes in memory: blue, green, red, alpha) and I420, and scaling, by libyuv.
///
/// libyuv names formats by the 32-bit word on a little-endian machine: its ARGB is BGRA in memory.
package enum PixelConverter {
  /// Converts BGRA to I420, BT.601 limited range, in one pass.
  ///
  /// - Parameter pixels: `height` rows of `stride` bytes, of which `4 × width` are read; alpha is ignored.
  /// - Throws: `unsupported` when `pixels` is too short for the size of `buffer`.
  package static func convert(
    bgra pixels: UnsafeRawBufferPointer, stride: Int, into buffer: I420Buffer
  ) throws(CodecError) {
    let width = buffer.width
    let height = buffer.height
    guard let base = pixels.baseAddress, stride >= 4 * width,
      pixels.count >= stride * (height - 1) + 4 * width
    else {
      throw .unsupported("\(pixels.count) bytes for \(width)x\(height) BGRA")
    }
    let status = ARGBToI420(
      base.assumingMemoryBound(to: UInt8.self), CInt(stride), buffer.y, CInt(buffer.yStride), buffer.u,
      CInt(buffer.chromaStride), buffer.v, CInt(buffer.chromaStride), CInt(width), CInt(height))
    guard status == 0 else { throw .library(operation: "ARGBToI420", message: "status \(status)") }
  }

  /// Converts I420 to BGRA with alpha 255, by the matrix that `picture.colours` names.
  ///
  /// - Throws: `unsupported` when `pixels` is too short.
  package static func convert(
    _ picture: I420View, intoBGRA pixels: UnsafeMutableRawBufferPointer, stride: Int
  ) throws(CodecError) {
    guard let base = pixels.baseAddress, stride >= 4 * picture.width,
      pixels.count >= stride * (picture.height - 1) + 4 * picture.width
    else {
      throw .unsupported("\(pixels.count) bytes for \(picture.width)x\(picture.height) BGRA")
    }
    let status = reactor_i420_to_argb(
      picture.colours.matrix.rawValue, picture.colours.isFullRange ? 1 : 0, picture.y, CInt(picture.yStride),
      picture.u, CInt(picture.uStride), picture.v, CInt(picture.vStride),
      base.assumingMemoryBound(to: UInt8.self), CInt(stride), CInt(picture.width), CInt(picture.height))
    guard status == 0 else { throw .library(operation: "I420ToARGB", message: "status \(status)") }
  }

  /// Scales `picture` to the size of `buffer`: a box filter, which averages all that it drops.
  package static func scale(_ picture: I420View, into buffer: I420Buffer) throws(CodecError) {
    let status = I420Scale(
      picture.y, CInt(picture.yStride), picture.u, CInt(picture.uStride), picture.v, CInt(picture.vStride),
      CInt(picture.width), CInt(picture.height), buffer.y, CInt(buffer.yStride), buffer.u,
      CInt(buffer.chromaStride), buffer.v, CInt(buffer.chromaStride), CInt(buffer.width),
      CInt(buffer.height), kFilterBox)
    guard status == 0 else { throw .library(operation: "I420Scale", message: "status \(status)") }
  }
}
