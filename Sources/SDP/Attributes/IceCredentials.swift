/// User fragment and password of one side (RFC 8839 section 5.4).
package struct IceCredentials: Hashable, Sendable {
  package var ufrag: String
  package var pwd: String

  package init(ufrag: String, pwd: String) {
    self.ufrag = ufrag
    self.pwd = pwd
  }

  // The RFC allows letters, digits, + and / only; other printable characters are met and do no harm.
  static func isUfrag(_ text: Substring) -> Bool { isWord(text, length: 4...256) }
  static func isPassword(_ text: Substring) -> Bool { isWord(text, length: 22...256) }

  private static func isWord(_ text: Substring, length: ClosedRange<Int>) -> Bool {
    length.contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

extension IceCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Never the password.
  package var description: String { "ufrag \(ufrag)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["ufrag": ufrag]) }
}
