/// The source that a section sends from.
package struct LocalStream: Hashable, Sendable {
  package var ssrc: UInt32
  /// Where retransmissions come from; written when one of the section's codecs has them.
  package var retransmissionSSRC: UInt32?
  package var cname: String
  package var msid: MediaStreamID?

  package init(ssrc: UInt32, retransmissionSSRC: UInt32? = nil, cname: String, msid: MediaStreamID? = nil) {
    self.ssrc = ssrc
    self.retransmissionSSRC = retransmissionSSRC
    self.cname = cname
    self.msid = msid
  }
}
