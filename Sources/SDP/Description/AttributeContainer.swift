/// What the session part and a media section have in common: lines, with attributes among them.
package protocol AttributeContainer {
  var lines: [SDPLine] { get set }
}

extension AttributeContainer {
  package var attributes: [SDPAttribute] { lines.compactMap(\.attribute) }

  /// The first thing that `pick` finds among the attributes.
  package func first<Found>(_ pick: (AttributeContent) -> Found?) -> Found? {
    for case .attribute(let attribute) in lines {
      if let found = pick(attribute.content) { return found }
    }
    return nil
  }

  /// Everything that `pick` finds among the attributes, in order.
  package func all<Found>(_ pick: (AttributeContent) -> Found?) -> [Found] {
    lines.compactMap { line in line.attribute.flatMap { pick($0.content) } }
  }

  package func has(_ content: AttributeContent) -> Bool {
    lines.contains { $0.attribute?.content == content }
  }

  /// Whether there is an attribute of that name, understood or not.
  package func hasAttribute(named name: String) -> Bool {
    lines.contains { $0.attribute?.name == name }
  }

  package mutating func append(_ attribute: SDPAttribute) {
    lines.append(.attribute(attribute))
  }

  package mutating func removeAttributes(named name: String) {
    lines.removeAll { $0.attribute?.name == name }
  }

  package var iceUfrag: String? { first { if case .iceUfrag(let text) = $0 { text } else { nil } } }
  package var icePwd: String? { first { if case .icePwd(let text) = $0 { text } else { nil } } }
  package var iceOptions: [String]? { first { if case .iceOptions(let words) = $0 { words } else { nil } } }
  package var isIceLite: Bool { has(.iceLite) }
  package var setup: DTLSSetup? { first { if case .setup(let setup) = $0 { setup } else { nil } } }
  package var fingerprints: [Fingerprint] {
    all { if case .fingerprint(let print) = $0 { print } else { nil } }
  }
  package var direction: MediaDirection? { first { if case .direction(let way) = $0 { way } else { nil } } }
  package var headerExtensions: [HeaderExtension] {
    all { if case .extmap(let one) = $0 { one } else { nil } }
  }
  package var isExtmapAllowMixed: Bool { has(.extmapAllowMixed) }

  /// `b=` lines: the modifier (`AS` in kbit/s, `TIAS` in bit/s) and its number; others are left out.
  package var bandwidths: [(modifier: String, value: UInt64)] {
    lines.compactMap { line in
      guard case .other(UInt8(ascii: "b"), let text) = line,
        let (modifier, number) = text[...].halves(at: UInt8(ascii: ":")),
        let value = UInt64(decimal: number.trimmingBlanks)
      else { return nil }
      return (String(modifier), value)
    }
  }
}
