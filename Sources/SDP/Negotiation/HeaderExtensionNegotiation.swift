/// Which RTP header extensions two sides have in common: pure functions on what both say.
package enum HeaderExtensionNegotiation {
  /// The `a=extmap` lines of an answer: those of the offer that are supported, under the offer's numbers.
  package static func answer(
    to offered: [HeaderExtension], supporting uris: [String], allowsTwoByteHeaders: Bool
  ) -> [HeaderExtension] {
    let known = Set(uris)
    let largest: UInt16 = allowsTwoByteHeaders ? 255 : 14
    var numbers = Set<UInt16>()
    var taken = Set<String>()
    return offered.compactMap { one in
      guard known.contains(one.uri), one.id <= largest, one.id != 15,
        !numbers.contains(one.id), !taken.contains(one.uri)
      else { return nil }
      numbers.insert(one.id)
      taken.insert(one.uri)
      return HeaderExtension(id: one.id, uri: one.uri, direction: one.direction?.reversed)
    }
  }

  /// What both descriptions of a section name under the same number, in the local order.
  ///
  /// - Parameter direction: the section's, seen from this side.
  package static func common(
    local: [HeaderExtension], remote: [HeaderExtension], direction: MediaDirection
  ) -> [NegotiatedHeaderExtension] {
    let theirs = Dictionary(remote.map { ($0.uri, $0) }, uniquingKeysWith: { first, _ in first })
    var numbers = Set<UInt16>()
    return local.compactMap { own in
      guard let other = theirs[own.uri], other.id == own.id, own.id <= 255, numbers.insert(own.id).inserted
      else {
        return nil
      }
      let way = (own.direction ?? .sendrecv)
        .intersection((other.direction ?? .sendrecv).reversed)
        .intersection(direction)
      return NegotiatedHeaderExtension(
        id: UInt8(truncatingIfNeeded: own.id), uri: own.uri, direction: way)
    }
  }
}
