import COpus

/// Opus (RFC 6716) by libopus: 48 kHz, mono or stereo, with concealment. Belongs to one thread.
///
/// All outputs are interleaved 16-bit samples; all lengths are samples a channel.
package final class OpusDecoder {
  package static let sampleRate = 48_000
  /// The longest packet that Opus knows: 120 ms.
  package static let maximumFrames = 5760

  package let channels: Int
  private let decoder: OpaquePointer

  /// - Parameter channels: of the output; a packet of the other kind is mixed or doubled by the library.
  package init(channels: Int) throws(CodecError) {
    guard channels == 1 || channels == 2 else { throw .unsupported("\(channels) audio channels") }
    self.channels = channels
    var status: CInt = 0
    guard let made = opus_decoder_create(opus_int32(Self.sampleRate), CInt(channels), &status) else {
      throw opusFailure("Opus decoder open", status)
    }
    decoder = made
  }

  deinit {
    opus_decoder_destroy(decoder)
  }

  /// How many samples a channel a packet lasts at 48 kHz; nil when it is no Opus packet.
  package static func frames(in packet: UnsafeRawBufferPointer) -> Int? {
    guard let base = packet.baseAddress, packet.count > 0 else { return nil }
    let count = opus_packet_get_nb_samples(
      base.assumingMemoryBound(to: UInt8.self), opus_int32(clamping: packet.count), opus_int32(sampleRate))
    return count > 0 && count <= CInt(maximumFrames) ? Int(count) : nil
  }

  /// How many channels a packet was encoded with (the TOC byte's stereo bit).
  package static func channels(in packet: UnsafeRawBufferPointer) -> Int? {
    guard let toc = packet.first else { return nil }
    return toc & 0x04 == 0 ? 1 : 2
  }

  /// Decodes a packet.
  ///
  /// - Parameter output: room for `maximumFrames` × `channels` samples takes any packet.
  /// - Returns: samples a channel.
  package func decode(
    _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<Int16>
  ) throws(CodecError) -> Int {
    guard let base = packet.baseAddress, packet.count > 0 else { throw .corrupt("Opus packet without bytes") }
    return try run(
      "Opus decode", base.assumingMemoryBound(to: UInt8.self), packet.count, output,
      frames: output.count / channels, fec: 0)
  }

  /// Recovers the packet before `next` from the copy of it that `next` may carry (in-band FEC); conceals
  /// it where `next` carries none.
  ///
  /// - Parameter frames: exactly the length of what is missing; a multiple of 2.5 ms.
  package func recover(
    from next: UnsafeRawBufferPointer, frames: Int, into output: UnsafeMutableBufferPointer<Int16>
  ) throws(CodecError) -> Int {
    guard let base = next.baseAddress, next.count > 0 else { throw .corrupt("Opus packet without bytes") }
    return try run(
      "Opus FEC", base.assumingMemoryBound(to: UInt8.self), next.count, output, frames: frames, fec: 1)
  }

  /// Continues the sound over a hole, or the background noise over a sender's silence (DTX).
  ///
  /// - Parameter frames: a multiple of 2.5 ms.
  package func conceal(
    frames: Int, into output: UnsafeMutableBufferPointer<Int16>
  ) throws(CodecError) -> Int {
    try run("Opus conceal", nil, 0, output, frames: frames, fec: 0)
  }

  /// Forgets the past: for a new stream.
  package func reset() {
    _ = reactor_opus_decoder_reset(decoder)
  }

  private func run(
    _ operation: String, _ packet: UnsafePointer<UInt8>?, _ length: Int,
    _ output: UnsafeMutableBufferPointer<Int16>, frames: Int, fec: CInt
  ) throws(CodecError) -> Int {
    guard let target = output.baseAddress, frames > 0, frames <= output.count / channels else {
      throw .unsupported("room for \(output.count) samples")
    }
    let count = opus_decode(decoder, packet, opus_int32(clamping: length), target, CInt(frames), fec)
    guard count >= 0 else { throw opusFailure(operation, count) }
    return Int(count)
  }
}
