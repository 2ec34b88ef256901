/// One line below `o=` or below `m=`: an attribute, or one of the other types as it was written.
package enum SDPLine: Hashable, Sendable {
  case attribute(SDPAttribute)
  /// Any other type letter (`s`, `t`, `c`, `b`, …) and what stands behind its `=`.
  case other(type: UInt8, value: String)

  /// Without the line end.
  package var text: String {
    switch self {
    case .attribute(let attribute): "a=\(attribute.text)"
    case .other(let type, let value): String(decoding: [type], as: UTF8.self) + "=" + value
    }
  }

  package var attribute: SDPAttribute? {
    guard case .attribute(let attribute) = self else { return nil }
    return attribute
  }

  static func connection(_ value: String) -> SDPLine { .other(type: UInt8(ascii: "c"), value: value) }
}
