/// Why a YUV4MPEG2 file cannot be read or written.
package enum Y4MError: Error, Sendable, Hashable {
  /// The system's reason.
  case cannotOpen(String)
  /// The system's reason.
  case cannotWrite(String)
  case notY4M
  case headerTooLong(limit: Int)
  /// A field of the header with a value that is none.
  case malformed(field: String)
  case missing(field: String)
  case unsupportedChroma(String)
  case interlaced
  case pictureTooLarge(width: Int, height: Int)
  case unsupportedRate(String)
  /// What stands where a picture should begin is none.
  case noFrame(index: Int)
  case truncated(index: Int)
}

extension Y4MError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .cannotOpen(let reason): "it cannot be opened: \(reason)"
    case .cannotWrite(let reason): "it cannot be written: \(reason)"
    case .notY4M: "it is no YUV4MPEG2 file. Make one with: ffmpeg -i input -pix_fmt yuv420p output.y4m"
    case .headerTooLong(let limit): "its header is longer than \(limit) bytes"
    case .malformed(let field): "its header has a field that makes no sense: \(field)"
    case .missing(let field): "its header says nothing of the \(field)"
    case .unsupportedChroma(let name):
      "its pictures are \(name); only 8-bit 4:2:0 can be pushed. Convert it with: -pix_fmt yuv420p"
    case .interlaced: "its pictures are interlaced. Convert it with: -vf bwdif"
    case .pictureTooLarge(let width, let height):
      "\(width) x \(height) is no size of a picture that can be sent"
    case .unsupportedRate(let text): "\(text) is no frame rate that can be kept"
    case .noFrame(let index): "where picture \(index) should begin is something else"
    case .truncated(let index): "it ends within picture \(index)"
    }
  }
}
