/// What offer and answer agreed on for one section.
package struct NegotiatedSection: Hashable, Sendable {
  /// Its place among the `m=` lines of both descriptions.
  package var index: Int
  /// Empty when neither description names one, which only an unbundled single section may do.
  package var mid: String
  package var kind: MediaKind
  /// False when either side gave port 0, or no codec is common. The rest then says nothing.
  package var isAccepted: Bool
  /// Seen from this side; `inactive` for data channels and what is not accepted.
  package var direction: MediaDirection
  /// In the answer's order of preference, without `red`.
  package var codecs: [NegotiatedCodec]
  /// What this side offered and the answer left out. libwebrtc, when it answers, sends the offer's first format
  /// whatever its answer says; so these are to be taken as well (RFC 3264 section 5.1 asks for it until the
  /// answer is there).
  package var unansweredCodecs: [CodecDescription] = []
  /// Redundancy (RFC 2198) when both sides named it: VP8 and VP9 of libwebrtc peers then may come inside of it.
  package var red: NegotiatedCodec?
  package var headerExtensions: [NegotiatedHeaderExtension]
  /// The peer's announced sources, when it sends. Empty when it announces none: packets then tell by MID
  /// extension or payload type.
  package var remoteStreams: [StreamDescription]
  package var remoteMSIDs: [MediaStreamID]
  /// RTCP need not be compound (RFC 5506), both ways.
  package var hasReducedSizeRTCP: Bool
  /// Set exactly for an accepted data-channel section.
  package var sctp: NegotiatedSCTP?

  /// The number of that extension, if packets of this side may carry it.
  package func sendExtensionID(_ uri: String) -> UInt8? {
    headerExtensions.first { $0.uri == uri && $0.direction.sends }?.id
  }

  /// The number of that extension, if packets of the peer may carry it.
  package func receiveExtensionID(_ uri: String) -> UInt8? {
    headerExtensions.first { $0.uri == uri && $0.direction.receives }?.id
  }

  static func notAccepted(index: Int, mid: String, kind: MediaKind) -> NegotiatedSection {
    NegotiatedSection(
      index: index, mid: mid, kind: kind, isAccepted: false, direction: .inactive, codecs: [], red: nil,
      headerExtensions: [], remoteStreams: [], remoteMSIDs: [], hasReducedSizeRTCP: false, sctp: nil)
  }
}
