import Media
import Synchronization
import WireFormat

/// Tells when the samples of an encoded packet were captured, from the pipeline's sample clock: packets leave
/// the encoder in bursts, and the moment at which they do says nothing.
final class AudioCaptureClock: Sendable {
  private struct State {
    var origin: Instant?
    var unwrapper = SequenceUnwrapper32()
  }

  private let state = Mutex(State())

  func packet(_ encoded: EncodedAudioPacket, at now: Instant) -> OutgoingAudioPacket {
    let capturedAt = state.withLock { state in
      let samples = state.unwrapper.unwrap(encoded.rtpTimestamp)
      let elapsed = Interval.nanoseconds(samples &* 1_000_000_000 / 48_000)
      let origin = state.origin ?? now - elapsed
      state.origin = origin
      return origin + elapsed
    }
    return OutgoingAudioPacket(payload: encoded.payload, sampleCount: 960, capturedAt: capturedAt)
  }
}
