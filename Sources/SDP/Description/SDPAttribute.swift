/// An `a=` line: exactly as written, and what it means.
///
/// The text is kept beside the meaning, so that sloppy or unknown attributes are written back unchanged.
package struct SDPAttribute: Hashable, Sendable {
  package let name: String
  /// What stands behind the colon; nil when there is no colon (`a=rtcp-mux`).
  package let value: String?
  /// ``AttributeContent/uninterpreted`` when the name is unknown or the value malformed.
  package let content: AttributeContent

  /// From name and value. Line breaks and NUL cannot be part of a line and are left out.
  package init(_ name: String, _ value: String? = nil) {
    self.name = SDPAttribute.onOneLine(name)
    self.value = value.map(SDPAttribute.onOneLine)
    content = AttributeContent(name: self.name, value: self.value.map { $0[...] })
  }

  /// From what it means, and how that is written: nothing is parsed.
  init(_ name: String, _ value: String, meaning content: AttributeContent) {
    self.name = name
    self.value = value
    self.content = content
  }

  init(parsing text: Substring) {
    if let (before, after) = text.halves(at: UInt8(ascii: ":")) {
      name = String(before)
      value = String(after)
      content = AttributeContent(name: name, value: after)
    } else {
      name = String(text)
      value = nil
      content = AttributeContent(name: name, value: nil)
    }
  }

  /// Without `a=`.
  package var text: String {
    guard let value else { return name }
    return "\(name):\(value)"
  }

  private static func onOneLine(_ text: String) -> String {
    let isSafe = text.utf8.allSatisfy { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    if isSafe { return text }
    return String(decoding: text.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }, as: UTF8.self)
  }
}
