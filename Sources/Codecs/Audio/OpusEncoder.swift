import COpus

/// Opus (RFC 6716) by libopus: 48 kHz, mono or stereo. Belongs to one thread.
package final class OpusEncoder {
  package struct Settings: Hashable, Sendable {
    package var channels: Int
    /// Bits a second of the payloads; nil chooses 64 000 for mono and 128 000 for stereo: a
    /// pure tone then keeps 40 dB, and music is hard to tell from the original.
    package var bitrateBPS: Int?
    /// 0…10. 5 costs a fifth of 10 and is told apart by measurement only.
    package var complexity: Int
    /// Leave packets out (or make them a byte or two) in silence.
    package var usesDTX: Bool
    /// Speech is coded differently from music; off codes everything as music.
    package var isSpeech: Bool

    package init(
      channels: Int, bitrateBPS: Int? = nil, complexity: Int = 5, usesDTX: Bool = false,
      isSpeech: Bool = false
    ) {
      self.channels = channels
      self.bitrateBPS = bitrateBPS
      self.complexity = complexity
      self.usesDTX = usesDTX
      self.isSpeech = isSpeech
    }
  }

  package static let sampleRate = 48_000
  /// The largest Opus packet that is worth sending in one datagram (RFC 6716 section 3.2.1: 1 275 a frame).
  package static let maximumPacketSize = 1275

  package let settings: Settings
  private let encoder: OpaquePointer

  package init(_ settings: Settings) throws(CodecError) {
    guard settings.channels == 1 || settings.channels == 2 else {
      throw .unsupported("\(settings.channels) audio channels")
    }
    self.settings = settings
    var status: CInt = 0
    let application = settings.isSpeech ? OPUS_APPLICATION_VOIP : OPUS_APPLICATION_AUDIO
    guard
      let made = opus_encoder_create(
        opus_int32(Self.sampleRate), CInt(settings.channels), application, &status)
    else { throw opusFailure("Opus encoder open", status) }
    encoder = made
    let bitrate = settings.bitrateBPS ?? (settings.channels == 1 ? 64_000 : 128_000)
    try set(OPUS_SET_BITRATE_REQUEST, max(6000, min(bitrate, 510_000)))
    try set(OPUS_SET_COMPLEXITY_REQUEST, max(0, min(settings.complexity, 10)))
    try set(OPUS_SET_DTX_REQUEST, settings.usesDTX ? 1 : 0)
    // Constrained VBR: packets of nearly one size, so that audio never adds a burst to the path.
    try set(OPUS_SET_VBR_REQUEST, 1)
    try set(OPUS_SET_VBR_CONSTRAINT_REQUEST, 1)
    try set(OPUS_SET_INBAND_FEC_REQUEST, 0)
  }

  deinit {
    opus_encoder_destroy(encoder)
  }

  /// Tells how many packets of a hundred the path loses: in-band FEC from 1 % on.
  package func setLoss(percent: Int) throws(CodecError) {
    try set(OPUS_SET_PACKET_LOSS_PERC_REQUEST, max(0, min(percent, 100)))
    try set(OPUS_SET_INBAND_FEC_REQUEST, percent >= 1 ? 1 : 0)
  }

  package func setBitrate(_ bitsPerSecond: Int) throws(CodecError) {
    try set(OPUS_SET_BITRATE_REQUEST, max(6000, min(bitsPerSecond, 510_000)))
  }

  /// Samples a channel by which the decoder's output lags behind the input.
  package var lookahead: Int {
    var value: opus_int32 = 0
    _ = reactor_opus_encoder_get(encoder, OPUS_GET_LOOKAHEAD_REQUEST, &value)
    return Int(value)
  }

  /// Encodes one packet.
  ///
  /// - Parameters:
  ///   - samples: interleaved; 2.5, 5, 10, 20, 40 or 60 ms of them.
  ///   - output: where the packet goes; `maximumPacketSize` bytes hold any.
  /// - Returns: the packet's length. 1 or 2 with DTX: nothing that needs to be sent.
  package func encode(
    _ samples: UnsafeBufferPointer<Int16>, into output: UnsafeMutableRawBufferPointer
  ) throws(CodecError) -> Int {
    let frames = samples.count / settings.channels
    guard samples.count == frames * settings.channels, [120, 240, 480, 960, 1920, 2880].contains(frames),
      let source = samples.baseAddress, let target = output.baseAddress
    else { throw .unsupported("\(samples.count) samples in one Opus packet") }
    let length = opus_encode(
      encoder, source, CInt(frames), target.assumingMemoryBound(to: UInt8.self),
      opus_int32(clamping: output.count))
    guard length > 0 else { throw opusFailure("Opus encode", length) }
    return Int(length)
  }

  /// Forgets the past: for a new start after a gap.
  package func reset() {
    _ = reactor_opus_encoder_reset(encoder)
  }

  private func set(_ request: CInt, _ value: Int) throws(CodecError) {
    let status = reactor_opus_encoder_set(encoder, request, opus_int32(clamping: value))
    guard status == OPUS_OK else { throw opusFailure("Opus encoder setting \(request) = \(value)", status) }
  }
}
