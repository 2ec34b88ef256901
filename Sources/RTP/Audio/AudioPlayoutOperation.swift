/// What the audio thread has to do next to get more samples, as ``AudioJitterBuffer/next(at:queuedSamples:)``
/// says.
package enum AudioPlayoutOperation: Hashable, Sendable {
  /// Decode the packet (all of it: 20 ms usually), then shorten or lengthen what came out as asked, where the
  /// sound allows it (``AudioTimeStretch``).
  case decode(ReceivedAudioPacket, PlayoutAdjustment)
  /// A packet is lost and the one after it carries a copy: decode `samples` of forward error correction from
  /// it. It comes again as `decode`.
  case recover(from: ReceivedAudioPacket, samples: Int)
  /// Something is lost or late: let the decoder continue the sound for `samples`.
  case conceal(samples: Int)
  /// Nothing is lost, the sender is silent: let the decoder make its background noise for `samples`
  /// (`hasNoise`), or play zeros.
  case silence(samples: Int, hasNoise: Bool)
  /// A new stream begins: reset the decoder and ask again. Gives no samples.
  case resetDecoder
}

/// How to bring the delay nearer to its target while decoding a packet.
package enum PlayoutAdjustment: Hashable, Sendable {
  case none
  /// More is buffered than needed: take a pitch period out.
  case shorten
  /// Less is buffered than needed: repeat a pitch period.
  case lengthen
}
