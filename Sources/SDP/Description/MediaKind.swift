/// The first word of an `m=` line.
package enum MediaKind: Hashable, Sendable {
  case audio, video, application
  /// Any other word, as written.
  case other(String)

  package init(_ word: String) {
    switch word.asciiLowercased {
    case "audio": self = .audio
    case "video": self = .video
    case "application": self = .application
    default: self = .other(word)
    }
  }
}

extension MediaKind: CustomStringConvertible {
  package var description: String {
    switch self {
    case .audio: "audio"
    case .video: "video"
    case .application: "application"
    case .other(let word): word
    }
  }
}
