import Codecs
import RTP

/// Everything between a pushed picture and its bitstream: size and scale, encoder, timestamps, frame
/// numbers. Belongs to one thread, and has no clock: times are the frames' capture times.
package final class VideoEncodingStage {
  private let codec: VideoCodec
  private let configuration: VideoSendConfiguration
  private var encoder: (any VideoEncoder)?
  private var scaler: QualityScaler
  private var scaled: I420Buffer?
  private var clock = CaptureClock()
  private var sourceWidth = 0
  private var sourceHeight = 0
  private var lastTicks: Int64?
  private var frameRate: Double
  private var frameID: UInt64 = 0
  private var needsKeyframe = true

  package init(codec: VideoCodec, configuration: VideoSendConfiguration) {
    self.codec = codec
    self.configuration = configuration
    scaler = QualityScaler(isVP9: codec == .vp9)
    frameRate = max(1, min(configuration.framesPerSecond, 240))
  }

  /// A new guess of the frame rate; the distances of capture times correct it from there.
  package func setFrameRate(_ framesPerSecond: Double) {
    frameRate = max(1, min(framesPerSecond, 240))
  }

  /// Encodes one frame.
  ///
  /// - Parameter storage: an empty array whose memory is used for the bitstream; left empty when it was not.
  /// - Returns: nil when rate control left the frame out.
  package func encode(
    _ frame: PushedVideoFrame, keyframe: Bool, bitrateBPS: Int, storage: inout [UInt8]
  ) throws(CodecError) -> EncodedVideoFrame? {
    let ticks = clock.ticks(captureTimeUs: frame.captureTimeUs)
    updateFrameRate(ticks: ticks)
    if frame.picture.width != sourceWidth || frame.picture.height != sourceHeight {
      sourceWidth = frame.picture.width
      sourceHeight = frame.picture.height
      if configuration.adaptsResolution {
        scaler.start(
          width: sourceWidth, height: sourceHeight, bitrateBPS: bitrateBPS, framesPerSecond: frameRate)
      }
      encoder = nil
    }
    if keyframe { needsKeyframe = true }
    do {
      let encoder = try currentEncoder(bitrateBPS: bitrateBPS)
      let picture = try pictureToEncode(frame.picture, encoder.settings)
      let duration = max(1, Int(90_000 / frameRate))
      let isKeyframe = needsKeyframe
      let result = try picture.withView { view throws(CodecError) in
        try encoder.encode(view, at: ticks, duration: duration, keyframe: isKeyframe, into: &storage)
      }
      adapt(result, encoder, ticks: ticks)
      guard let result else { return nil }
      if result.isKeyframe { needsKeyframe = false }
      var metadata = frame.metadata
      if metadata != nil {
        frameID &+= 1
        metadata?.frameID = frameID
      }
      let data = storage
      storage = []
      return EncodedVideoFrame(
        codec: codec, data: data, isKeyframe: result.isKeyframe,
        rtpTimestamp: UInt32(truncatingIfNeeded: ticks), width: picture.width, height: picture.height,
        metadata: metadata)
    } catch {
      // Whatever state the library is in: the next frame starts anew.
      encoder = nil
      needsKeyframe = true
      storage.removeAll(keepingCapacity: true)
      throw error
    }
  }

  /// Follows the frame rate by the distances of frames, each counting for a tenth.
  private func updateFrameRate(ticks: Int64) {
    defer { lastTicks = ticks }
    guard let lastTicks else { return }
    let distance = max(375, min(ticks - lastTicks, 90_000))
    let smoothed = 0.9 * (90_000 / frameRate) + 0.1 * Double(distance)
    frameRate = 90_000 / smoothed
  }

  private func currentEncoder(bitrateBPS: Int) throws(CodecError) -> any VideoEncoder {
    if let encoder {
      // The frame rate wobbles with every frame; the encoder only needs to know of real changes.
      let known = encoder.settings.framesPerSecond
      let isOff = abs(known - frameRate) > 0.2 * known
      if isOff || encoder.settings.bitrateBPS != bitrateBPS {
        try encoder.setRate(bitrateBPS: bitrateBPS, framesPerSecond: isOff ? frameRate : known)
      }
      return encoder
    }
    let size = QualityScaler.size(width: sourceWidth, height: sourceHeight, step: scaler.step)
    let made = try codec.makeEncoder(
      VideoEncoderSettings(
        width: size.width, height: size.height, bitrateBPS: bitrateBPS, framesPerSecond: frameRate,
        cores: configuration.cores, screenContent: configuration.screenContent,
        dropsFrames: configuration.dropsFrames))
    encoder = made
    needsKeyframe = true
    return made
  }

  private func pictureToEncode(
    _ picture: I420Buffer, _ settings: VideoEncoderSettings
  ) throws(CodecError) -> I420Buffer {
    if picture.width == settings.width, picture.height == settings.height { return picture }
    let target: I420Buffer
    if let scaled, scaled.width == settings.width, scaled.height == settings.height {
      target = scaled
    } else {
      target = try I420Buffer(width: settings.width, height: settings.height)
      scaled = target
    }
    try picture.withView { view throws(CodecError) in try PixelConverter.scale(view, into: target) }
    return target
  }

  private func adapt(_ result: EncodedPicture?, _ encoder: any VideoEncoder, ticks: Int64) {
    guard configuration.adaptsResolution else { return }
    let quantizer = result.map { Double($0.quantizer) / Double(encoder.coarsestQuantizer) }
    let changed = scaler.note(
      quantizer: quantizer, atUs: ticks * 100 / 9, width: sourceWidth, height: sourceHeight)
    if changed { self.encoder = nil }
  }
}
