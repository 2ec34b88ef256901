import RTP

/// A look at somebody else's 4:2:0 picture: three planes of 8-bit samples and their strides.
///
/// Borrowed: the planes belong to an `I420Buffer` or to a decoder, and are valid as long as their owner says.
package struct I420View {
  /// How samples become colours: what a VP9 keyframe may announce, or the sender beside the bitstream.
  package struct Colours: Hashable, Sendable {
    package enum Matrix: CInt, Hashable, Sendable {
      case bt601 = 601
      case bt709 = 709
      case bt2020 = 2020
    }

    package var matrix: Matrix
    package var isFullRange: Bool

    package init(matrix: Matrix, isFullRange: Bool) {
      self.matrix = matrix
      self.isFullRange = isFullRange
    }

    /// BT.601, limited range: what WebRTC peers send unless they say otherwise.
    package static let bt601Limited = Colours(matrix: .bt601, isFullRange: false)

    /// These with what the sender said beside the bitstream; what it left open, or is unknown here, stays.
    package func corrected(by space: VideoColourSpace) -> Colours {
      var result = self
      switch space.matrix {
      case 1: result.matrix = .bt709
      case 5, 6: result.matrix = .bt601
      case 9: result.matrix = .bt2020
      default: break
      }
      if let isFullRange = space.isFullRange { result.isFullRange = isFullRange }
      return result
    }
  }

  package let width: Int
  package let height: Int
  package let y: UnsafePointer<UInt8>
  package let u: UnsafePointer<UInt8>
  package let v: UnsafePointer<UInt8>
  package let yStride: Int
  package let uStride: Int
  package let vStride: Int
  package var colours: Colours

  package init(
    width: Int, height: Int, y: UnsafePointer<UInt8>, u: UnsafePointer<UInt8>, v: UnsafePointer<UInt8>,
    yStride: Int, uStride: Int, vStride: Int, colours: Colours = .bt601Limited
  ) {
    self.width = width
    self.height = height
    self.y = y
    self.u = u
    self.v = v
    self.yStride = yStride
    self.uStride = uStride
    self.vStride = vStride
    self.colours = colours
  }

  package var chromaWidth: Int { (width + 1) / 2 }
  package var chromaHeight: Int { (height + 1) / 2 }
}
