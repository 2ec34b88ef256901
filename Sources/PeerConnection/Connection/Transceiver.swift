import SDP
import WireFormat

/// One media section of this side: what it carries, which way, and under which sources.
package struct Transceiver: Sendable {
  package let mid: String
  package let kind: MediaKind
  /// What this side wants; what the peer agrees to is in the negotiated session.
  package var direction: MediaDirection
  /// The sources that this side sends with; kept for the section's life.
  package let stream: LocalStream

  init(mid: String, kind: MediaKind, direction: MediaDirection, cname: String, random: inout RandomSource) {
    self.mid = mid
    self.kind = kind
    self.direction = direction
    let ssrc = random.uint32()
    var repair: UInt32?
    if kind == .video {
      repair = random.uint32()
      if repair == ssrc { repair = ssrc ^ 1 }
    }
    stream = LocalStream(
      ssrc: ssrc, retransmissionSSRC: repair, cname: cname,
      msid: MediaStreamID(stream: "reactor", track: "track-\(mid)"))
  }
}
