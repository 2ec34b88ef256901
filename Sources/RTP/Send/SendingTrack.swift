/// One of a connection's tracks and its part of the bandwidth.
struct SendingTrack {
  enum Sender {
    case video(VideoSender)
    case audio(AudioSender)
  }

  let sender: Sender
  var limits: TrackBitrateLimits
  var isActive = true
  /// The target that its encoder was told last, bits per second.
  var announced = 0

  init(sender: Sender, limits: TrackBitrateLimits) {
    self.sender = sender
    self.limits = limits
  }

  var stream: OutgoingStream {
    switch sender {
    case .video(let sender): sender.stream
    case .audio(let sender): sender.stream
    }
  }

  var video: VideoSender? {
    if case .video(let sender) = sender { return sender }
    return nil
  }

  var audio: AudioSender? {
    if case .audio(let sender) = sender { return sender }
    return nil
  }

  var isAudio: Bool { audio != nil }
}
