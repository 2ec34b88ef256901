/// Sources that belong together, from `a=ssrc-group` (RFC 5576 section 4.2).
package struct SSRCGroup: Hashable, Sendable {
  /// `FID`: a source and its retransmissions (RFC 4588); `FEC-FR`; `SIM`.
  package var semantics: String
  package var ssrcs: [UInt32]

  package init(semantics: String, ssrcs: [UInt32]) {
    self.semantics = semantics
    self.ssrcs = ssrcs
  }

  init?(parsing value: Substring) {
    let tokens = value.tokens
    guard let semantics = tokens.first, tokens.count >= 2 else { return nil }
    var ssrcs: [UInt32] = []
    for token in tokens.dropFirst() {
      guard let ssrc = UInt32(decimal: token) else { return nil }
      ssrcs.append(ssrc)
    }
    self.init(semantics: String(semantics), ssrcs: ssrcs)
  }

  var value: String { semantics + " " + ssrcs.map { String($0) }.joined(separator: " ") }
}
