/// Which sections of an offer and its answer carry something, and in which order they share the transport.
enum SectionPairing {
  static func checkMids(of description: SessionDescription) throws(SDPError) {
    var seen = Set<String>()
    for (index, section) in description.media.enumerated() {
      guard let mid = section.mid else { continue }
      guard seen.insert(mid).inserted else {
        throw .duplicateMid(section: index, line: description.lineNumber(ofSection: index))
      }
    }
  }

  /// The sections of an offer that an answer could accept on one multiplexed transport.
  static func usableSections(ofOffer offer: SessionDescription) -> Set<Int> {
    let bundle = offer.bundle.map { Set($0) }
    // Some servers write rtcp-mux into the first bundled section only; bundling implies it.
    let muxesBundle = offer.media.contains { section in
      section.hasRTCPMux && section.mid.map { bundle?.contains($0) ?? false } ?? false
    }
    return Set(
      offer.media.indices.filter { index in
        let section = offer.media[index]
        guard !section.isRejected || section.isBundleOnly else { return false }
        guard section.isDataChannel || section.isSecureRTP else { return false }
        guard let bundle else { return section.isDataChannel || section.hasRTCPMux }
        guard let mid = section.mid, bundle.contains(mid) else { return false }
        return section.isDataChannel || section.hasRTCPMux || muxesBundle
      })
  }

  /// The sections in the order of the BUNDLE group of `description`, those outside of it last.
  static func bundleOrder(_ sections: Set<Int>, of description: SessionDescription) -> [Int] {
    var positions: [String: Int] = [:]
    for (position, mid) in (description.bundle ?? []).enumerated() where positions[mid] == nil {
      positions[mid] = position
    }
    func position(_ index: Int) -> Int {
      description.media[index].mid.flatMap { positions[$0] } ?? Int.max
    }
    return sections.sorted { (position($0), $0) < (position($1), $1) }
  }
}
