import WireFormat

/// The network thread's part of receiving one remote audio track: counting, reporting, and unpacking RED.
///
/// What it hands out with ``nextPacket()`` goes to the audio thread's ``AudioJitterBuffer``. Packets come out
/// in the order of arrival.
package final class AudioReceiver {
  package struct Configuration: Sendable {
    package var opusPayloadTypes: Set<UInt8>
    /// RED (RFC 2198) whose blocks are Opus.
    package var redundantPayloadTypes: Set<UInt8> = []
    /// The SSRC where the description names one; otherwise the first packet's.
    package var signalledSSRC: UInt32?

    package init(opusPayloadTypes: Set<UInt8>) {
      self.opusPayloadTypes = opusPayloadTypes
    }
  }

  package let configuration: Configuration
  /// Whether anybody listens; while false packets are counted and dropped.
  package var isEnabled = true
  private let pool: PacketPool
  private var counters = AudioReceiverStatistics()
  private var stream: (ssrc: UInt32, statistics: ReceiveStatistics)?
  private var reports = SenderReportClock(clockRate: OpusPacket.clockRate)
  private var queue: [ReceivedAudioPacket] = []
  private var newestTimestamp: UInt32?
  private var newestSequence: Int64 = 0
  private var packetDuration: UInt32 = 960
  /// Which of the last 64 sequence numbers were handed out: bit n is n before the newest.
  private var handedOut: UInt64 = 0

  /// Packets kept for the audio thread: 1.2 s of 20 ms. When full, the oldest goes.
  package static let maximumQueued = 64

  package init(configuration: Configuration, pool: PacketPool) {
    self.configuration = configuration
    self.pool = pool
  }

  package var ssrc: UInt32? { stream?.ssrc ?? configuration.signalledSSRC }

  /// Takes a decrypted RTP packet of this track; the buffer goes back to the pool.
  package func handle(_ packet: consuming PacketBuffer, header: RTPHeader, at now: Instant) {
    receive(packet.bytes, header, now)
    pool.give(packet)
  }

  /// Takes the stream's sender report.
  package func handle(_ report: SenderReport, at now: Instant) {
    guard report.ssrc == ssrc else { return }
    reports.handle(report, at: now)
  }

  /// The next packet for the jitter buffer; nil when there is none.
  package func nextPacket() -> ReceivedAudioPacket? {
    queue.isEmpty ? nil : queue.removeFirst()
  }

  package var statistics: AudioReceiverStatistics {
    var result = counters
    guard let stream else { return result }
    result.ssrc = stream.ssrc
    result.packetsReceived &+= stream.statistics.packetsReceived
    result.bytesReceived &+= stream.statistics.payloadBytesReceived
    result.packetsLost &+= stream.statistics.cumulativeLost
    result.jitter = stream.statistics.jitterInterval
    return result
  }

  /// What the next receiver report says of the stream; each call ends an interval. nil before media came.
  package func takeReportBlock(at now: Instant) -> ReportBlock? {
    guard let ssrc = stream?.ssrc, let numbers = stream?.statistics.takeReport(),
      let jitter = stream?.statistics.jitter
    else { return nil }
    return reports.reportBlock(ssrc: ssrc, numbers: numbers, jitter: jitter, at: now)
  }

  /// The sender's wall clock at which the sample with this timestamp was captured; nil before a sender report.
  package func captureTime(rtpTimestamp: UInt32) -> NTPTime? { reports.ntpTime(rtpTimestamp: rtpTimestamp) }

  private func receive(_ packet: RawSpan, _ header: RTPHeader, _ now: Instant) {
    let isRED = configuration.redundantPayloadTypes.contains(header.payloadType)
    guard isRED || configuration.opusPayloadTypes.contains(header.payloadType) else {
      counters.packetsMalformed += 1
      return
    }
    if stream?.ssrc != header.ssrc { begin(header.ssrc) }
    guard let sequence = count(header, now), isEnabled, !header.payloadRange.isEmpty else { return }
    let payload = packet.clamped(header.payloadRange)
    guard isRED else {
      handOut(payload, header, sequence: sequence, timestamp: header.timestamp, isRedundant: false, now)
      return
    }
    do throws(RTPError) {
      let blocks = try RedundantPayload(parsing: payload)
      for (position, block) in blocks.redundant.enumerated() where !block.range.isEmpty {
        guard configuration.opusPayloadTypes.contains(block.payloadType) else { continue }
        // Blocks are neighbours in sequence: the last redundant one is the packet before this.
        let back = Int64(blocks.redundant.count - position)
        handOut(
          payload.clamped(block.range), header, sequence: sequence &- back,
          timestamp: header.timestamp &- block.timestampOffset, isRedundant: true, now)
      }
      handOut(
        payload.clamped(blocks.primary.range), header, sequence: sequence, timestamp: header.timestamp,
        isRedundant: false, now)
    } catch {
      counters.packetsMalformed += 1
    }
  }

  /// Counts the packet and returns its unwrapped number; nil for a stray.
  private func count(_ header: RTPHeader, _ now: Instant) -> Int64? {
    // A pause or a talk spurt's beginning says nothing of the network (RFC 3550 section 6.4.1, note).
    let step = newestTimestamp.map { header.timestamp &- $0 } ?? 0
    let isSteady = !header.marker && step > 0 && step <= packetDuration &* 4
    let counted = stream?.statistics.receive(
      header, payloadBytes: header.payloadRange.count, at: now, countsForJitter: isSteady)
    guard let (sequence, arrival) = counted, arrival != .stray else { return nil }
    if arrival == .restarted {
      handedOut = 0
      newestSequence = sequence
      newestTimestamp = nil
    }
    if newestTimestamp.map({ header.timestamp.isNewer(than: $0) }) ?? true {
      newestTimestamp = header.timestamp
    }
    return sequence
  }

  private func handOut(
    _ payload: RawSpan, _ header: RTPHeader, sequence: Int64, timestamp: UInt32, isRedundant: Bool,
    _ now: Instant
  ) {
    guard !payload.isEmpty else { return }
    guard let opus = try? OpusPacket(parsing: payload) else {
      counters.packetsMalformed += 1
      return
    }
    guard markHandedOut(sequence) else { return }
    packetDuration = UInt32(clamping: opus.sampleCount)
    if isRedundant { counters.packetsRecovered += 1 }
    if queue.count >= AudioReceiver.maximumQueued {
      queue.removeFirst()
      counters.packetsDropped += 1
    }
    queue.append(
      ReceivedAudioPacket(
        ssrc: header.ssrc, sequenceNumber: UInt16(truncatingIfNeeded: sequence), timestamp: timestamp,
        marker: header.marker && !isRedundant, payload: payload.copyBytes(), arrival: now,
        isRedundant: isRedundant))
  }

  /// False for a packet that was handed out before, or is too old to tell.
  private func markHandedOut(_ sequence: Int64) -> Bool {
    if handedOut == 0 { newestSequence = sequence }
    let ahead = sequence &- newestSequence
    if ahead > 0 {
      handedOut = ahead < 64 ? handedOut &<< UInt64(ahead) : 0
      handedOut |= 1
      newestSequence = sequence
      return true
    }
    guard ahead > -64 else { return false }
    let bit = UInt64(1) &<< UInt64(-ahead)
    guard handedOut & bit == 0 else { return false }
    handedOut |= bit
    return true
  }

  private func begin(_ ssrc: UInt32) {
    if let stream {
      counters.packetsReceived &+= stream.statistics.packetsReceived
      counters.bytesReceived &+= stream.statistics.payloadBytesReceived
      counters.packetsLost &+= stream.statistics.cumulativeLost
    }
    stream = (ssrc, ReceiveStatistics(clockRate: OpusPacket.clockRate))
    reports = SenderReportClock(clockRate: OpusPacket.clockRate)
    newestTimestamp = nil
    handedOut = 0
  }
}
