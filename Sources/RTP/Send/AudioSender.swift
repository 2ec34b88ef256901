import WireFormat

/// One audio track that we send: Opus packets with timestamps that run through silence.
package final class AudioSender {
  package let stream: OutgoingStream
  private var timeline: AudioTimeline
  private var isSilent = true

  package init(stream: OutgoingStream, random: inout RandomSource) {
    self.stream = stream
    timeline = AudioTimeline(clockRate: stream.parameters.clockRate, first: random.uint32())
  }

  /// Queues one encoded packet.
  ///
  /// A packet of two bytes or fewer is the encoder's way to say that nothing need be sent (DTX): the
  /// timestamp runs on, and the next packet that is sent carries the marker (RFC 7587 section 4.2).
  ///
  /// - Parameters:
  ///   - sampleCount: at the RTP clock rate (48 kHz for Opus, whatever the encoder's rate).
  ///   - capturedAt: when its first sample was taken.
  func send(
    _ payload: RawSpan, sampleCount: Int, level: AudioLevel?, capturedAt: Instant, pacer: inout Pacer,
    at now: Instant
  ) -> SendOutcome {
    let (timestamp, isAfterPause) = timeline.advance(by: sampleCount, at: capturedAt)
    if isAfterPause { isSilent = true }
    guard payload.byteCount > 2 else {
      isSilent = true
      return .nothingToSend
    }
    var extensions = stream.commonExtensions
    extensions.audioLevel = level
    guard
      let packet = stream.makePacket(
        timestamp: timestamp, marker: isSilent, extensions: extensions, isFirstOfFrame: true,
        priority: .audio, at: now)
    else { return .queueFull }
    guard (try? packet.buffer.append(payload)) != nil, pacer.enqueue(packet, at: now) else {
      stream.discard(packet)
      stream.statistics.framesDropped += 1
      return .queueFull
    }
    isSilent = false
    stream.statistics.framesSent += 1
    stream.note(timestamp: timestamp, capturedAt: capturedAt)
    return .queued
  }
}
