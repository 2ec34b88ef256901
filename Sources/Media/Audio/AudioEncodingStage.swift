import Codecs
import WireFormat

/// Everything between pushed samples and Opus packets: resampling, packets of 20 ms, pace, silence, and the
/// timestamp. A machine without clock or thread: feed `insert`, then take `nextPacket(at:)` until nil, and
/// come back at `nextTimeout()`.
///
/// Time, in short:
/// - A packet goes out as soon as its samples are there, up to `lead` ahead of the clock; samples that come
///   in larger chunks follow at 2.5 % over their own pace, so that any backlog melts.
/// - When nothing has come for `grace` longer than what was sent lasts, the missing time is filled with
///   silence at once, and then packet by packet, until samples come again or `silenceLimit` is reached.
/// - After that nothing is sent. The timestamp counts on by the clock, in whole packets.
/// - Samples that come late by less than `grace` move the whole time line: the pusher's clock is what counts.
package final class AudioEncodingStage {
  package static let packetFrames = 960
  package static let packetInterval = Interval.milliseconds(20 as Int64)
  package static let lead = Interval.milliseconds(100 as Int64)
  package static let grace = Interval.milliseconds(60 as Int64)

  private let configuration: AudioSendConfiguration
  private var inputRate = 0
  private var channels = 0
  private var resampler: AudioResampler?
  private var resampled: [Int16] = []
  private var queue = SampleQueue()
  private var encoder: OpusEncoder?
  private var packet = [UInt8](repeating: 0, count: OpusEncoder.maximumPacketSize)
  private var lossPercent = 0
  private var bitrateBPS: Int?

  private var timestamp: Int64 = 0
  /// When what was sent so far has been played, on the pusher's clock; nil before the first packet.
  private var mediaEnd: Instant?
  /// When the next packet is due, were it not for a backlog.
  private var due = Instant.origin
  private var silence = Interval.zero
  /// Nothing is being sent, or the last packet was left out by DTX.
  private var isQuiet = true
  package private(set) var packetsOfSilence = 0

  package init(_ configuration: AudioSendConfiguration) {
    self.configuration = configuration
    bitrateBPS = configuration.bitrateBPS
  }

  /// What waits to be sent.
  package var backlog: Interval {
    channels == 0 ? .zero : .nanoseconds(Int64(queue.count / channels) * 1_000_000_000 / 48_000)
  }

  package func setLoss(percent: Int) throws(CodecError) {
    guard percent != lossPercent else { return }
    lossPercent = percent
    try encoder?.setLoss(percent: percent)
  }

  package func setBitrate(_ bitsPerSecond: Int) throws(CodecError) {
    bitrateBPS = bitsPerSecond
    try encoder?.setBitrate(bitsPerSecond)
  }

  /// Takes samples, interleaved. Another format than before drops what does not fill a packet.
  package func insert(_ samples: [Int16], sampleRate: Int, channels: Int) throws(CodecError) {
    if sampleRate != inputRate || channels != self.channels {
      try changeFormat(sampleRate: sampleRate, channels: channels)
    }
    guard let resampler else {
      samples.withUnsafeBufferPointer { queue.append($0) }
      return
    }
    let failure = samples.withUnsafeBufferPointer { resample($0, with: resampler) }
    if let failure { throw failure }
  }

  /// The next packet that is to go out at `now`; nil when there is none.
  package func nextPacket(at now: Instant) throws(CodecError) -> EncodedAudioPacket? {
    while channels > 0 {
      if queue.count >= Self.packetFrames * channels {
        guard mediaEnd == nil || due <= now + Self.lead else { return nil }
        countOn(to: now)
        silence = .zero
        let end = max(mediaEnd ?? now, now) + Self.packetInterval
        mediaEnd = end
        due = max(due, now) + .microseconds(19_500 as Int64)
        if let packet = try encode(isSilence: false) { return packet }
        continue
      }
      guard let mediaEnd, !isPaused, now >= mediaEnd + (silence > .zero ? .zero : Self.grace) else {
        return nil
      }
      if silence >= configuration.silenceLimit {
        isPaused = true
        isQuiet = true
        queue.removeAll()
        return nil
      }
      if silence == .zero { flushResampler() }
      // The flush may have completed a packet of what was pushed.
      let missing = Self.packetFrames * channels - queue.count
      queue.append(zeros: missing)
      silence += Self.packetInterval
      self.mediaEnd = mediaEnd + Self.packetInterval
      due = mediaEnd + Self.packetInterval
      packetsOfSilence += 1
      if let packet = try encode(isSilence: true) { return packet }
    }
    return nil
  }

  /// When `nextPacket` will have something although nothing is inserted.
  package func nextTimeout() -> Instant? {
    guard channels > 0, let mediaEnd else { return nil }
    if queue.count >= Self.packetFrames * channels { return due - Self.lead }
    if isPaused { return nil }
    return silence > .zero ? mediaEnd : mediaEnd + Self.grace
  }

  /// Silence was sent for as long as it may be; cleared by the next real packet.
  private var isPaused = false

  /// After a time without packets the timestamp lies where the clock is, in whole packets.
  private func countOn(to now: Instant) {
    guard isPaused, let mediaEnd else { return }
    isPaused = false
    let missed = max(0, (now - mediaEnd).nanoseconds / Self.packetInterval.nanoseconds)
    timestamp += missed * Int64(Self.packetFrames)
    encoder?.reset()
  }

  private func changeFormat(sampleRate: Int, channels: Int) throws(CodecError) {
    if self.channels > 0 {
      let packet = Self.packetFrames * self.channels
      queue.truncate(to: queue.count / packet * packet)
      queue.remix(from: self.channels, to: channels)
    }
    resampler =
      sampleRate == OpusEncoder.sampleRate ? nil : try AudioResampler(channels: channels, from: sampleRate)
    if channels != self.channels {
      encoder = try OpusEncoder(
        OpusEncoder.Settings(
          channels: channels, bitrateBPS: bitrateBPS, complexity: configuration.complexity,
          usesDTX: configuration.usesDTX, isSpeech: configuration.isSpeech))
      if lossPercent > 0 { try encoder?.setLoss(percent: lossPercent) }
    }
    inputRate = sampleRate
    self.channels = channels
  }

  private func resample(_ input: UnsafeBufferPointer<Int16>, with resampler: AudioResampler) -> CodecError? {
    let capacity = resampler.capacity(for: input.count / channels) * channels
    if resampled.count < capacity { resampled = [Int16](repeating: 0, count: capacity) }
    return resampled.withUnsafeMutableBufferPointer { output in
      var read = 0
      while read < input.count {
        do throws(CodecError) {
          let step = try resampler.process(UnsafeBufferPointer(rebasing: input[read...]), into: output)
          if step.read == 0, step.written == 0 { return nil }
          queue.append(UnsafeBufferPointer(rebasing: output[..<(step.written * channels)]))
          read += step.read * channels
        } catch {
          return error
        }
      }
      return nil
    }
  }

  /// Brings out what the resampler's filter still holds, so that it does not click into what comes later.
  private func flushResampler() {
    guard let resampler else { return }
    let held = (resampler.delay * inputRate + OpusEncoder.sampleRate - 1) / OpusEncoder.sampleRate
    let zeros = [Int16](repeating: 0, count: held * channels)
    _ = zeros.withUnsafeBufferPointer { resample($0, with: resampler) }
    resampler.reset()
  }

  private func encode(isSilence: Bool) throws(CodecError) -> EncodedAudioPacket? {
    guard let encoder else { return nil }
    let stamp = UInt32(truncatingIfNeeded: timestamp)
    timestamp += Int64(Self.packetFrames)
    let result = queue.read(Self.packetFrames * channels) { samples in
      packet.withUnsafeMutableBytes { output -> Result<Int, CodecError> in
        do throws(CodecError) {
          return .success(try encoder.encode(samples, into: output))
        } catch {
          return .failure(error)
        }
      }
    }
    let length = try result.get()
    // With DTX, a packet of the TOC byte alone says "nothing new": the gap says the same.
    if configuration.usesDTX, length <= 2 {
      isQuiet = true
      return nil
    }
    defer { isQuiet = false }
    return EncodedAudioPacket(
      payload: Array(packet[..<length]), rtpTimestamp: stamp, isTalkSpurtStart: isQuiet,
      isSilence: isSilence)
  }
}
