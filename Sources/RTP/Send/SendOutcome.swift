/// What became of a frame that was given to a sender.
package enum SendOutcome: Hashable, Sendable {
  case queued
  /// The pacer has no room: the frame is given up, and so is every later one until a keyframe.
  case queueFull
  /// A frame that it refers to was given up; a keyframe has been asked for.
  case awaitingKeyframe
  /// Nothing to send: empty, of another codec, or silence that the peer fills in by itself.
  case nothingToSend
  /// No such track.
  case unknownTrack
}
