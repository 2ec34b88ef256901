/// Sections that belong together, from `a=group` (RFC 5888); `BUNDLE` is RFC 9143.
package struct MediaGroup: Hashable, Sendable {
  package var semantics: String
  package var mids: [String]

  package init(semantics: String, mids: [String]) {
    self.semantics = semantics
    self.mids = mids
  }

  package var isBundle: Bool { semantics == "BUNDLE" }

  init?(parsing value: Substring) {
    let tokens = value.tokens
    guard let semantics = tokens.first else { return nil }
    self.init(semantics: String(semantics), mids: tokens.dropFirst().map { String($0) })
  }

  var value: String { ([semantics] + mids).joined(separator: " ") }
}
