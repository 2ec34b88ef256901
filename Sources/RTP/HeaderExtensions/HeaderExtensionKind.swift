/// The header extensions that this package reads and writes, each known in SDP by a URI (`a=extmap`).
package enum HeaderExtensionKind: UInt8, Sendable, Hashable, CaseIterable {
  case absoluteSendTime
  case transportSequenceNumber
  case mid
  case rid
  case repairedRid
  case audioLevel
  case videoOrientation
  case playoutDelay
  case transmissionOffset
  case colourSpace

  package var uri: String {
    switch self {
    case .absoluteSendTime: "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
    case .transportSequenceNumber:
      "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
    case .mid: "urn:ietf:params:rtp-hdrext:sdes:mid"
    case .rid: "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id"
    case .repairedRid: "urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id"
    case .audioLevel: "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
    case .videoOrientation: "urn:3gpp:video-orientation"
    case .playoutDelay: "http://www.webrtc.org/experiments/rtp-hdrext/playout-delay"
    case .transmissionOffset: "urn:ietf:params:rtp-hdrext:toffset"
    case .colourSpace: "http://www.webrtc.org/experiments/rtp-hdrext/color-space"
    }
  }

  package init?(uri: String) {
    guard let kind = HeaderExtensionKind.allCases.first(where: { $0.uri == uri }) else { return nil }
    self = kind
  }
}
