/// The names of the RTP header extensions that this package knows.
package enum HeaderExtensionURI {
  package static let transmissionOffset = "urn:ietf:params:rtp-hdrext:toffset"
  package static let absoluteSendTime = "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
  package static let transportWideCC =
    "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
  package static let mid = "urn:ietf:params:rtp-hdrext:sdes:mid"
  package static let audioLevel = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
  package static let videoOrientation = "urn:3gpp:video-orientation"
  package static let playoutDelay = "http://www.webrtc.org/experiments/rtp-hdrext/playout-delay"
  package static let colourSpace = "http://www.webrtc.org/experiments/rtp-hdrext/color-space"
  package static let dependencyDescriptor =
    "https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension"

  /// What a video section of this package offers, in order.
  package static let video = [
    transportWideCC, absoluteSendTime, mid, videoOrientation, transmissionOffset, playoutDelay,
    colourSpace,
  ]
  /// What an audio section of this package offers, in order.
  package static let audio = [transportWideCC, absoluteSendTime, mid, audioLevel]
}
