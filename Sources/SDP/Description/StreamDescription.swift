/// One source that a section announces, from its `a=ssrc` and `a=ssrc-group:FID` lines.
package struct StreamDescription: Hashable, Sendable {
  package var ssrc: UInt32
  /// Where its retransmissions come from (RFC 4588, SSRC multiplexing).
  package var retransmissionSSRC: UInt32?
  package var cname: String?

  package init(ssrc: UInt32, retransmissionSSRC: UInt32? = nil, cname: String? = nil) {
    self.ssrc = ssrc
    self.retransmissionSSRC = retransmissionSSRC
    self.cname = cname
  }

  static func streams(of section: MediaSection) -> [StreamDescription] {
    var repairs: [UInt32: UInt32] = [:]
    var repairing = Set<UInt32>()
    for group in section.ssrcGroups where group.ssrcs.count == 2 {
      switch group.semantics {
      case "FID":
        if repairs[group.ssrcs[0]] == nil { repairs[group.ssrcs[0]] = group.ssrcs[1] }
        repairing.insert(group.ssrcs[1])
      case "FEC-FR": repairing.insert(group.ssrcs[1])
      default: break
      }
    }
    var order: [UInt32] = []
    var seen = Set<UInt32>()
    var cnames: [UInt32: String] = [:]
    for line in section.ssrcAttributes {
      if seen.insert(line.ssrc).inserted { order.append(line.ssrc) }
      if line.name == "cname", cnames[line.ssrc] == nil { cnames[line.ssrc] = line.value }
    }
    // A group alone announces its sources too.
    for group in section.ssrcGroups where group.semantics == "FID" {
      for ssrc in group.ssrcs where seen.insert(ssrc).inserted { order.append(ssrc) }
    }
    return order.filter { !repairing.contains($0) }.map {
      StreamDescription(ssrc: $0, retransmissionSSRC: repairs[$0], cname: cnames[$0])
    }
  }
}
