/// What a description may hold at most; beyond it parsing fails before work is done.
package enum SDPLimits {
  /// UTF-8 bytes of the whole text.
  package static let bytes = 256 * 1024
  /// Lines, empty ones included.
  package static let lines = 4096
  /// Media sections (`m=` lines).
  package static let sections = 256
  /// Feedback types kept for one payload type; further ones are left in the text but not interpreted.
  static let feedbackPerCodec = 32
}
