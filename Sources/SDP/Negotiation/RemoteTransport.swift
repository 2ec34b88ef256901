/// What the peer says about its end of the one transport.
package struct RemoteTransport: Hashable, Sendable {
  package var credentials: IceCredentials
  package var iceOptions: [String]
  package var isIceLite: Bool
  /// Only strong ones (``Fingerprint/isStrong``), at least one. The certificate must match one of them.
  package var fingerprints: [Fingerprint]
  /// From all bundled sections, each once, in order.
  package var candidates: [CandidateAttribute]
  package var hasEndOfCandidates: Bool

  /// - Parameter sections: the bundled sections, the one whose attributes count first. Later ones and the
  ///   session part stand in for what it leaves out.
  init(of description: SessionDescription, sections: [Int]) throws(SDPError) {
    let place = sections.first
    func required<Value>(_ name: String, _ expected: String, _ value: Value?) throws(SDPError) -> Value {
      if let value { return value }
      let line = description.lineNumber(ofSection: place)
      let isThere =
        description.hasAttribute(named: name)
        || sections.contains { description.section($0)?.hasAttribute(named: name) ?? false }
      if isThere { throw .malformedAttribute(name: name, section: place, line: line, expected: expected) }
      throw .missingAttribute(name: name, section: place, line: line)
    }
    func firstFound<Value>(_ value: (Int) -> Value?) -> Value? {
      for index in sections {
        if let found = value(index) { return found }
      }
      return nil
    }
    if let found = firstFound({ description.iceCredentials(ofSection: $0) }) {
      credentials = found
    } else {
      let ufrag = try required(
        "ice-ufrag", "4 to 256 characters",
        description.iceUfrag ?? firstFound { description.section($0)?.iceUfrag })
      let pwd = try required(
        "ice-pwd", "22 to 256 characters",
        description.icePwd ?? firstFound { description.section($0)?.icePwd })
      credentials = IceCredentials(ufrag: ufrag, pwd: pwd)
    }
    let strong = firstFound { index in
      let prints = description.fingerprints(ofSection: index).filter(\.isStrong)
      return prints.isEmpty ? nil : prints
    }
    fingerprints = try required("fingerprint", "sha-256, sha-384 or sha-512 and its bytes", strong)
    iceOptions = firstFound { description.section($0)?.iceOptions } ?? description.iceOptions ?? []
    isIceLite = description.isIceLite || sections.contains { description.section($0)?.isIceLite ?? false }
    var seen = Set<CandidateAttribute>()
    candidates = sections.flatMap { description.section($0)?.candidates ?? [] }
      .filter { seen.insert($0).inserted }
    hasEndOfCandidates =
      description.has(.endOfCandidates)
      || sections.contains { description.section($0)?.hasEndOfCandidates ?? false }
  }
}

extension SessionDescription {
  /// The credentials that an answer to this offer would meet; nil when it has none that can be used.
  package var offeredCredentials: IceCredentials? {
    for index in SectionPairing.bundleOrder(SectionPairing.usableSections(ofOffer: self), of: self) {
      if let found = iceCredentials(ofSection: index) { return found }
    }
    return nil
  }
}
