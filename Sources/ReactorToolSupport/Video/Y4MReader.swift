import Codecs
import Foundation
import Synchronization

/// Reads a YUV4MPEG2 file picture by picture: one picture is in memory at a time. Colours are taken as BT.601, which is
/// what a file without a word on them means.
package final class Y4MReader: PictureSource {
  private struct State {
    let file: UnsafeMutablePointer<FILE>
    var planes: [UInt8]
    var index = 0
  }

  package let header: Y4MHeader
  private let state: Mutex<State>

  /// Opens the file and reads its header.
  package init(path: String) throws(Y4MError) {
    guard let file = fopen(path, "rb") else { throw .cannotOpen(String(cString: strerror(errno))) }
    do throws(Y4MError) {
      guard let line = try Y4MReader.line(file) else { throw .notY4M }
      header = try Y4MHeader(parsing: line)
    } catch {
      fclose(file)
      throw error
    }
    state = Mutex(State(file: file, planes: [UInt8](repeating: 0, count: header.frameSize)))
  }

  deinit {
    state.withLock { _ = fclose($0.file) }
  }

  package var framesPerSecond: Double { header.framesPerSecond }

  /// The next picture as BGRA; nil at the end of the file.
  package func next() throws -> Picture? {
    try state.withLock { state in
      guard try readFrame(&state) else { return nil }
      let (width, height) = (header.width, header.height)
      var pixels = [UInt8](repeating: 0, count: width * height * 4)
      try state.planes.withUnsafeBufferPointer { planes in
        guard let luma = planes.baseAddress else { return }
        let chroma = luma + width * height
        let view = I420View(
          width: width, height: height, y: luma, u: chroma,
          v: chroma + header.chromaWidth * header.chromaHeight,
          yStride: width, uStride: header.chromaWidth, vStride: header.chromaWidth,
          colours: .init(matrix: .bt601, isFullRange: header.isFullRange))
        try pixels.withUnsafeMutableBytes {
          try PixelConverter.convert(view, intoBGRA: $0, stride: width * 4)
        }
      }
      return Picture(pixels: pixels, width: width, height: height)
    }
  }

  private func readFrame(_ state: inout State) throws(Y4MError) -> Bool {
    guard let line = try Y4MReader.line(state.file) else { return false }
    guard line.starts(with: "FRAME".utf8), line.count == 5 || line[5] == UInt8(ascii: " ") else {
      throw .noFrame(index: state.index)
    }
    let size = header.frameSize
    let count = state.planes.withUnsafeMutableBytes { fread($0.baseAddress, 1, size, state.file) }
    guard count == size else { throw .truncated(index: state.index) }
    state.index += 1
    return true
  }

  /// Bytes up to the end of the line; nil at the end of the file.
  private static func line(_ file: UnsafeMutablePointer<FILE>) throws(Y4MError) -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      let byte = getc(file)
      if byte == EOF { return line.isEmpty ? nil : line }
      if byte == 0x0A { return line }
      guard line.count < Y4MHeader.lengthLimit else { throw .headerTooLong(limit: Y4MHeader.lengthLimit) }
      line.append(UInt8(truncatingIfNeeded: byte))
    }
  }
}
