import WireFormat

/// One video track that we send: from encoded frames to packets in the pacer.
package final class VideoSender {
  package let stream: OutgoingStream
  package let codec: VideoCodec
  /// Whether frames that have metadata carry it as a trailer: only where both descriptions declare it.
  package let appendsFrameMetadata: Bool

  private var packetizer: VideoPacketizer
  private let timestampOffset: UInt32
  private var limiter = KeyframeRequestLimiter()
  private var trailerCount: UInt64 = 0
  private var needsKeyframe = false

  package init(
    stream: OutgoingStream, codec: VideoCodec, appendsFrameMetadata: Bool, random: inout RandomSource
  ) {
    self.stream = stream
    self.codec = codec
    self.appendsFrameMetadata = appendsFrameMetadata
    packetizer = VideoPacketizer(codec: codec, firstPictureID: random.uint16() & 0x7FFF)
    timestampOffset = random.uint32()
  }

  /// Cuts a frame into packets and queues them.
  ///
  /// A frame's metadata gets its number here: trailers count from 1 on each track and connection.
  ///
  /// - Parameter capturedAt: the moment that `frame.rtpTimestamp` stands for; nil: now.
  func send(
    _ frame: consuming EncodedVideoFrame, capturedAt: Instant?, pacer: inout Pacer, at now: Instant
  ) -> SendOutcome {
    guard frame.codec == codec, !frame.data.isEmpty else { return .nothingToSend }
    if frame.isKeyframe { needsKeyframe = false }
    guard !needsKeyframe else {
      stream.statistics.framesDropped += 1
      return .awaitingKeyframe
    }
    guard pacer.hasRoom(for: frame.data.count) else {
      needsKeyframe = true
      stream.statistics.framesDropped += 1
      return .queueFull
    }
    if appendsFrameMetadata, var metadata = frame.metadata {
      trailerCount += 1
      metadata.frameID = trailerCount
      FrameMetadataTrailer.append(metadata, to: &frame.data)
    }
    queue(frame, pacer: &pacer, at: now)
    note(frame, capturedAt: capturedAt ?? now, at: now)
    return .queued
  }

  private func queue(_ frame: borrowing EncodedVideoFrame, pacer: inout Pacer, at now: Instant) {
    var extensions = stream.commonExtensions
    // Shown, or given to the model, as soon as it is there: a live model gains nothing from evenly spaced pictures. A
    // receiver keeps the wish for the frames that follow.
    if frame.isKeyframe { extensions.playoutDelay = PlayoutDelay(minimum: .zero, maximum: .zero) }
    let overhead = stream.headerSize(with: extensions) + (stream.parameters.rtx == nil ? 0 : 2)
    let payloads = packetizer.packetize(
      byteCount: frame.data.count, isKeyframe: frame.isKeyframe, width: frame.width, height: frame.height,
      maximumPayloadSize: stream.parameters.maximumPacketSize - overhead)
    let timestamp = frame.rtpTimestamp &+ timestampOffset
    for index in 0..<payloads.count {
      guard
        let packet = stream.makePacket(
          timestamp: timestamp, marker: payloads.isLast(index), extensions: extensions,
          isFirstOfFrame: index == 0, priority: .video, at: now)
      else { continue }
      guard (try? payloads.writePayload(index, of: frame.data.rawSpan, into: packet.buffer)) != nil,
        pacer.enqueue(packet, at: now)
      else {
        stream.discard(packet)
        needsKeyframe = true
        continue
      }
    }
  }

  private func note(_ frame: borrowing EncodedVideoFrame, capturedAt: Instant, at now: Instant) {
    stream.note(timestamp: frame.rtpTimestamp &+ timestampOffset, capturedAt: capturedAt)
    stream.statistics.framesSent += 1
    if frame.width > 0 {
      stream.statistics.frameWidth = frame.width
      stream.statistics.frameHeight = frame.height
    }
    guard frame.isKeyframe else { return }
    stream.statistics.keyframesSent += 1
    limiter.handleKeyframe(bytes: frame.data.count, at: now)
  }

  // MARK: Keyframe requests: each returns whether the encoder is to be asked now.

  func handlePictureLossIndication(bitrate: Int, at now: Instant) -> Bool {
    stream.statistics.pliCount += 1
    return limiter.handleRequest(roundTripTime: stream.roundTripTime, bitrate: bitrate, at: now)
  }

  func handleFullIntraRequest(_ request: FullIntraRequest, bitrate: Int, at now: Instant) -> Bool {
    var isDue = false
    for entry in request.entries where entry.ssrc == stream.parameters.ssrc {
      stream.statistics.firCount += 1
      isDue =
        limiter.handleFullIntraRequest(
          from: request.senderSSRC, number: entry.sequenceNumber, roundTripTime: stream.roundTripTime,
          bitrate: bitrate, at: now) || isDue
    }
    return isDue
  }

  /// A frame was given up here, so that only a keyframe helps.
  func handleLocalLoss(bitrate: Int, at now: Instant) -> Bool {
    limiter.handleRequest(roundTripTime: .zero, bitrate: bitrate, at: now)
  }

  func nextTimeout(bitrate: Int) -> Instant? { limiter.nextTimeout(bitrate: bitrate) }

  func handleTimeout(bitrate: Int, at now: Instant) -> Bool {
    limiter.handleTimeout(bitrate: bitrate, at: now)
  }
}
