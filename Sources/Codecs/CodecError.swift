/// What a codec library, a converter or a check in front of one refused.
package enum CodecError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The library's own words. `operation` says what was asked of it.
  case library(operation: String, message: String)
  /// A size, rate or channel count that no codec here takes.
  case unsupported(String)
  /// A bitstream that does not begin like one of its codec, or a picture that could not be reconstructed.
  case corrupt(String)
  /// A delta frame with nothing to build upon.
  case needsKeyframe
  /// A picture larger than `PictureLimit`; refused before anything of that size is allocated.
  case pictureTooLarge(width: Int, height: Int)

  package var description: String {
    switch self {
    case .library(let operation, let message): "\(operation): \(message)"
    case .unsupported(let what): "unsupported: \(what)"
    case .corrupt(let what): "corrupt bitstream: \(what)"
    case .needsKeyframe: "a keyframe is needed first"
    case .pictureTooLarge(let width, let height): "a picture of \(width)x\(height) is over the limit"
    }
  }
}
