import Media

/// What a live connection is made of.
package struct LiveConnectionConfiguration: Sendable {
  package var connection = PeerConnectionConfiguration()
  package var driver = DriverConfiguration()
  /// Settings of the encoders; the bitrate is the congestion controller's from the first estimate on.
  package var video = VideoSendConfiguration()
  package var audio = AudioSendConfiguration()
  /// Processor cores that codecs may count on.
  package var cores = 2

  package init() {}
}
