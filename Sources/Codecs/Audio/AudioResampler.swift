import CSpeexDSP

/// Converts interleaved 16-bit audio to another sample rate. Belongs to one thread.
///
/// libspeexdsp's windowed sinc: output follows input sample for sample with a fixed delay of half a filter
/// (see `delay`; 1 to 5 ms), whatever the chunk length, and without allocation in `process`. soxr and
/// libswresample measure better on paper but work in blocks of tens of milliseconds (soxr), or bring FFmpeg's
/// libraries along (libswresample).
package final class AudioResampler {
  /// 0…10. From 5 on the window's stop band lies under the noise of 16 bits; more only widens the pass band
  /// from 0.92 of the band's edge, and costs delay (at 8 kHz input 10 ms for 8, 5 ms for 5).
  package static let quality: CInt = 5

  package let channels: Int
  package let inputRate: Int
  package let outputRate: Int
  private let state: OpaquePointer

  /// - Throws: `unsupported` for other than 1 or 2 channels, or rates outside 8 000…192 000.
  package init(channels: Int, from inputRate: Int, to outputRate: Int = 48_000) throws(CodecError) {
    guard channels == 1 || channels == 2, (8000...192_000).contains(inputRate),
      (8000...192_000).contains(outputRate)
    else { throw .unsupported("\(channels) channels from \(inputRate) to \(outputRate) Hz") }
    self.channels = channels
    self.inputRate = inputRate
    self.outputRate = outputRate
    var status: CInt = 0
    guard
      let made = speex_resampler_init(
        UInt32(channels), UInt32(inputRate), UInt32(outputRate), Self.quality, &status)
    else { throw Self.failure("resampler open", status) }
    state = made
  }

  deinit {
    speex_resampler_destroy(state)
  }

  /// Samples a channel, at the output's rate, by which the output lags behind the input.
  package var delay: Int { Int(speex_resampler_get_output_latency(state)) }

  /// The most samples a channel that `count` samples a channel can become.
  package func capacity(for count: Int) -> Int {
    (count * outputRate + inputRate - 1) / inputRate + 1
  }

  /// Converts as much as fits.
  ///
  /// - Returns: samples a channel read from `input` and written to `output`.
  package func process(
    _ input: UnsafeBufferPointer<Int16>, into output: UnsafeMutableBufferPointer<Int16>
  ) throws(CodecError) -> (read: Int, written: Int) {
    guard let source = input.baseAddress, let target = output.baseAddress else { return (0, 0) }
    var inputFrames = UInt32(clamping: input.count / channels)
    var outputFrames = UInt32(clamping: output.count / channels)
    let status = speex_resampler_process_interleaved_int(
      state, source, &inputFrames, target, &outputFrames)
    guard status == 0 else { throw Self.failure("resample", status) }
    return (Int(inputFrames), Int(outputFrames))
  }

  /// Forgets the past: for a new start after a gap.
  package func reset() {
    speex_resampler_reset_mem(state)
  }

  private static func failure(_ operation: String, _ status: CInt) -> CodecError {
    .library(
      operation: operation,
      message: speex_resampler_strerror(status).map { String(cString: $0) } ?? "status \(status)")
  }
}
