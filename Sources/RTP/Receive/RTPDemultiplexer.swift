/// Finds the media section that a received RTP packet belongs to (RFC 9143 section 9.2): by its MID, by its
/// SSRC as signalled or learned, by a rid, or by its payload type where only one section uses it.
package struct RTPDemultiplexer: Sendable {
  /// A section that may receive.
  package struct Section: Sendable {
    /// The owner's name for it; what ``section(for:extensions:)`` returns.
    package var index: Int
    package var mid: String?
    package var payloadTypes: Set<UInt8>
    /// Of media and of repair streams, as signalled.
    package var ssrcs: [UInt32]
    package var rids: [String]

    package init(
      index: Int, mid: String? = nil, payloadTypes: Set<UInt8>, ssrcs: [UInt32] = [], rids: [String] = []
    ) {
      self.index = index
      self.mid = mid
      self.payloadTypes = payloadTypes
      self.ssrcs = ssrcs
      self.rids = rids
    }
  }

  private var sections: [Section] = []
  private var indexBySSRC: [UInt32: Int] = [:]
  private var learned: [UInt32] = []
  /// The section that alone uses a payload type; nil for none or several.
  private var indexByPayloadType: [Int?] = Array(repeating: nil, count: 128)

  /// Learned SSRCs that are remembered; beyond it the oldest is forgotten and has to be learned again.
  package static let maximumLearned = 256

  package init() {}

  package mutating func add(_ section: Section) {
    remove(index: section.index)
    sections.append(section)
    for ssrc in section.ssrcs { indexBySSRC[ssrc] = section.index }
    indexPayloadTypes()
  }

  package mutating func remove(index: Int) {
    sections.removeAll { $0.index == index }
    indexBySSRC = indexBySSRC.filter { $0.value != index }
    learned.removeAll { indexBySSRC[$0] == nil }
    indexPayloadTypes()
  }

  /// The section's index; nil for a packet that belongs nowhere.
  package mutating func section(for header: RTPHeader, extensions: RTPExtensionValues) -> Int? {
    if let mid = extensions.mid, let section = sections.first(where: { $0.mid == mid }) {
      learn(header.ssrc, section.index)
      return section.index
    }
    if let index = indexBySSRC[header.ssrc] { return index }
    if let rid = extensions.rid ?? extensions.repairedRid,
      let section = only(where: { $0.rids.contains(rid) })
    {
      learn(header.ssrc, section.index)
      return section.index
    }
    guard header.payloadType < 128, let index = indexByPayloadType[Int(header.payloadType)] else {
      return nil
    }
    learn(header.ssrc, index)
    return index
  }

  /// The section of an SSRC that RTCP names.
  package func section(ofSSRC ssrc: UInt32) -> Int? { indexBySSRC[ssrc] }

  private mutating func learn(_ ssrc: UInt32, _ index: Int) {
    let former = indexBySSRC.updateValue(index, forKey: ssrc)
    guard former == nil else { return }
    learned.append(ssrc)
    if learned.count > RTPDemultiplexer.maximumLearned {
      indexBySSRC[learned.removeFirst()] = nil
    }
  }

  private func only(where matches: (Section) -> Bool) -> Section? {
    let found = sections.filter(matches)
    return found.count == 1 ? found[0] : nil
  }

  private mutating func indexPayloadTypes() {
    for payloadType in 0..<128 {
      indexByPayloadType[payloadType] =
        only { $0.payloadTypes.contains(UInt8(payloadType)) }?.index
    }
  }
}
