import Media

/// A snapshot of a live connection: the transport's figures and those of the pipelines, by mid.
package struct LiveStatistics: Sendable {
  package let connection: PeerConnectionStatistics
  package let videoReceivers: [String: VideoReceiveStatistics]
  package let videoSenders: [String: VideoSendStatistics]
}
