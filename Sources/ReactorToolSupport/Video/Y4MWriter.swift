import Codecs
import Foundation
import Synchronization

/// Writes received pictures as a YUV4MPEG2 file (BT.601, limited range). The file has one size, that of its first
/// picture: later ones of another size are scaled to it.
package final class Y4MWriter: Sendable {
  private struct State {
    var file: UnsafeMutablePointer<FILE>?
    var header: Y4MHeader?
    var count = 0
    /// What went wrong first; nothing is written after it.
    var failure: Y4MError?
  }

  private let rate: (numerator: Int, denominator: Int)
  private let state: Mutex<State>

  /// Makes the file. `framesPerSecond` is what its header says; it is kept to a thousandth.
  package init(path: String, framesPerSecond: Double = 30) throws(Y4MError) {
    guard framesPerSecond.isFinite, (0.001...1000).contains(framesPerSecond) else {
      throw .unsupportedRate("\(framesPerSecond)")
    }
    let isWhole = framesPerSecond.rounded() == framesPerSecond
    rate = isWhole ? (Int(framesPerSecond), 1) : (Int((framesPerSecond * 1000).rounded()), 1000)
    guard let file = fopen(path, "wb") else { throw .cannotOpen(String(cString: strerror(errno))) }
    state = Mutex(State(file: file))
  }

  deinit {
    state.withLock { state in
      if let file = state.file { fclose(file) }
    }
  }

  /// Pictures written so far.
  package var count: Int { state.withLock { $0.count } }

  /// Writes a picture, BGRA. What goes wrong is thrown by ``close()``.
  package func write(_ pixels: UnsafeRawBufferPointer, width: Int, height: Int) {
    let picture = Result { () throws -> I420Buffer in
      let picture = try I420Buffer(width: width, height: height)
      try PixelConverter.convert(bgra: pixels, stride: width * 4, into: picture)
      return picture
    }
    state.withLock { state in
      guard state.failure == nil, let file = state.file else { return }
      do {
        try Y4MWriter.write(try picture.get(), rate, file, &state)
        state.count += 1
      } catch {
        state.failure = error as? Y4MError ?? .cannotWrite("\(error)")
      }
    }
  }

  /// Ends the file. Throws what went wrong since it was made.
  package func close() throws(Y4MError) {
    let failure = state.withLock { state -> Y4MError? in
      guard let file = state.file else { return state.failure }
      state.file = nil
      let isClosed = fclose(file) == 0
      return state.failure ?? (isClosed ? nil : .cannotWrite(String(cString: strerror(errno))))
    }
    if let failure { throw failure }
  }

  private static func write(
    _ received: I420Buffer, _ rate: (numerator: Int, denominator: Int), _ file: UnsafeMutablePointer<FILE>,
    _ state: inout State
  ) throws {
    if state.header == nil {
      let header = try Y4MHeader(
        width: received.width, height: received.height, rateNumerator: rate.numerator,
        rateDenominator: rate.denominator)
      state.header = header
      try put(Array(header.line.utf8), to: file)
    }
    let picture = try fitted(received, state.header)
    try put(Array("FRAME\n".utf8), to: file)
    try put(rows: picture.y, picture.yStride, picture.width, picture.height, to: file)
    try put(rows: picture.u, picture.chromaStride, picture.chromaWidth, picture.chromaHeight, to: file)
    try put(rows: picture.v, picture.chromaStride, picture.chromaWidth, picture.chromaHeight, to: file)
  }

  private static func fitted(_ picture: I420Buffer, _ header: Y4MHeader?) throws -> I420Buffer {
    guard let header, (picture.width, picture.height) != (header.width, header.height) else { return picture }
    let scaled = try I420Buffer(width: header.width, height: header.height)
    try picture.withView { try PixelConverter.scale($0, into: scaled) }
    return scaled
  }

  private static func put(
    rows: UnsafePointer<UInt8>, _ stride: Int, _ width: Int, _ height: Int,
    to file: UnsafeMutablePointer<FILE>
  ) throws(Y4MError) {
    for row in 0..<height {
      guard fwrite(rows + row * stride, 1, width, file) == width else {
        throw .cannotWrite(String(cString: strerror(errno)))
      }
    }
  }

  private static func put(_ bytes: [UInt8], to file: UnsafeMutablePointer<FILE>) throws(Y4MError) {
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw .cannotWrite(String(cString: strerror(errno)))
    }
  }
}
