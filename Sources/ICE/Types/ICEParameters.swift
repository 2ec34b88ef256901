import WireFormat

/// One side's credentials and options, as its description carries them (RFC 8839 section 5).
package struct ICEParameters: Hashable, Sendable {
  /// `a=ice-ufrag`: 4 to 256 ice-chars.
  package var ufrag: String
  /// `a=ice-pwd`: 22 to 256 ice-chars.
  package var password: String
  /// `a=ice-options`.
  package var options: [String]
  /// `a=ice-lite`: the agent only answers checks.
  package var isLite: Bool

  package init(ufrag: String, password: String, options: [String] = ["trickle"], isLite: Bool = false) {
    self.ufrag = ufrag
    self.password = password
    self.options = options
    self.isLite = isLite
  }

  /// Fresh ones: 48 random bits in the ufrag and 144 in the password, above RFC 8445 section 5.3's 24 and 128.
  package static func generate(_ random: inout RandomSource) -> ICEParameters {
    ICEParameters(ufrag: random.iceString(8), password: random.iceString(24))
  }
}

extension ICEParameters: CustomStringConvertible {
  /// Without the password.
  package var description: String { "ICE parameters of \(ufrag)" }
}
