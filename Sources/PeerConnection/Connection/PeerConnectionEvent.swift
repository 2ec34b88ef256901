import ICE
import RTP
import SCTP

/// What a connection tells its owner.
package enum PeerConnectionEvent: Sendable {
  /// For the driver: names to resolve, streams to open and close.
  case ice(ICEEvent)
  case stateChanged(PeerConnectionState)
  /// A candidate to signal, as the value of `a=candidate` without the `a=`.
  case localCandidate(String, mid: String, index: Int)
  /// All candidates of this generation are known.
  case endOfCandidates
  case channelOpened(DataChannelID, label: String, isRemote: Bool)
  /// A whole message, chunking undone.
  case message(DataChannelID, [UInt8], isText: Bool)
  case bufferedAmountLow(DataChannelID)
  case channelClosed(DataChannelID, label: String, reason: String)
  /// A whole picture, trailer taken off, in decoding order.
  case videoFrame(mid: String, EncodedVideoFrame)
  /// An Opus packet as it came, for the track's jitter buffer.
  case audioPacket(mid: String, ReceivedAudioPacket)
  /// The peer cannot decode: the next frame of this track must be a keyframe.
  case keyframeRequested(mid: String)
  /// What a sending video track's encoder should aim at.
  case targetBitrate(mid: String, bitsPerSecond: Int)
  /// Something that was left out, and why, for people.
  case note(String)
}
