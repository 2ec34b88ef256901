/// A look at somebody else's 4:2:0 picture: three planes of 8-bit samples and their strides.
///
/// Borrowed: the planes belong to an `I420Buffer` or to a decoder, and are valid as long as their owner says.
package struct I420View {
  /// How samples become colours (what a VP9 keyframe may announce; VP8 knows only the first).
  package enum Colours: Hashable, Sendable {
    /// BT.601, limited range: what WebRTC peers send unless they say otherwise.
    case bt601Limited
    case bt601Full
    case bt709Limited
  }

  package let width: Int
  package let height: Int
  package let y: UnsafePointer<UInt8>
  package let u: UnsafePointer<UInt8>
  package let v: UnsafePointer<UInt8>
  package let yStride: Int
  package let uStride: Int
  package let vStride: Int
  package let colours: Colours

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
