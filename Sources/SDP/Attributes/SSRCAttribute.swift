/// One `a=ssrc` line (RFC 5576 section 4.1): an attribute of one source.
package struct SSRCAttribute: Hashable, Sendable {
  package var ssrc: UInt32
  /// Such as `cname` or `msid`; nil when the line names the source alone.
  package var name: String?
  package var value: String?

  package init(ssrc: UInt32, name: String?, value: String?) {
    self.ssrc = ssrc
    self.name = name
    self.value = value
  }

  init?(parsing text: Substring) {
    let head = text.tokens.first ?? ""
    guard let ssrc = UInt32(decimal: head) else { return nil }
    let rest = Substring(text.utf8.dropFirst(head.utf8.count)).trimmingBlanks
    if let (name, value) = rest.halves(at: UInt8(ascii: ":")) {
      self.init(ssrc: ssrc, name: String(name), value: String(value.trimmingBlanks))
    } else {
      self.init(ssrc: ssrc, name: rest.isEmpty ? nil : String(rest), value: nil)
    }
  }

  var text: String {
    guard let name else { return String(ssrc) }
    return value.map { "\(ssrc) \(name):\($0)" } ?? "\(ssrc) \(name)"
  }
}
