import Codecs

/// Why a pushed frame was not taken.
package enum MediaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The buffer's length does not fit the stated size; both in bytes.
  case wrongLength(expected: Int, actual: Int)
  /// A size, sample rate or channel count outside what is taken.
  case unsupported(String)
  /// The pipeline was closed.
  case closed
  /// A library's own refusal.
  case codec(CodecError)

  package var description: String {
    switch self {
    case .wrongLength(let expected, let actual): "expected \(expected) bytes, got \(actual)"
    case .unsupported(let what): "unsupported: \(what)"
    case .closed: "the pipeline is closed"
    case .codec(let error): error.description
    }
  }
}
