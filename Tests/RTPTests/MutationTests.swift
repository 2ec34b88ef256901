import RTP
import TestSupport
import Testing
import WireFormat

/// Recorded packets with random damage: whatever comes of it, nothing traps and nothing grows.
@Suite struct MutationTests {
  private func mutate(_ bytes: [UInt8], _ random: inout RandomSource) -> [UInt8] {
    var result = bytes
    for _ in 0..<Int(random.next() % 4 + 1) where !result.isEmpty {
      let position = Int(random.next() % UInt64(min(result.count, 48)))
      switch random.next() % 4 {
      case 0: result[position] = UInt8(truncatingIfNeeded: random.next())
      case 1: result[position] ^= 1 << UInt8(random.next() % 8)
      case 2: result.removeLast(min(result.count, Int(random.next() % 30)))
      default: result.insert(UInt8(truncatingIfNeeded: random.next()), at: position)
      }
    }
    return result
  }

  @Test(arguments: ["rtp/runtime_VP8.pcap", "rtp/runtime_VP9.pcap", "relay/loss-red-vp8/00.clear.pcap"])
  func `damaged packets go through parsers and receivers without harm`(file: String) throws {
    let recorded = try RecordedStream.read(file)
    for seed in 0..<3 as Range<UInt64> {
      var random = RandomSource(seed: seed)
      let video = VideoReceiver.make { $0.hasFrameMetadata = true }
      let audio = AudioReceiver(
        configuration: AudioReceiver.Configuration(opusPayloadTypes: [111]), pool: PacketPool())
      var jitterBuffer = AudioJitterBuffer()
      var feedback = TransportFeedbackGenerator(localSSRC: 1)
      let map = HeaderExtensionMap([(2, .absoluteSendTime), (4, .transportSequenceNumber), (9, .mid)])
      for packet in recorded {
        let bytes = random.next() % 3 == 0 ? mutate(packet.bytes, &random) : packet.bytes
        if packet.isRTCP {
          _ = try? RTCPCompound(bytes: bytes).serialized()
          continue
        }
        guard let header = try? RTPHeader(bytes: bytes) else { continue }
        let buffer = PacketBuffer(copying: bytes)
        let values = RTPExtensionValues(of: header, buffer: buffer, map: map)
        if let number = values.transportSequenceNumber {
          feedback.handle(sequenceNumber: number, mediaSSRC: header.ssrc, at: packet.time)
        }
        _ = try? RedundantPayload(parsing: bytes.rawSpan.clamped(header.payloadRange))
        if header.payloadType == 111 {
          audio.handle(buffer, header: header, at: packet.time)
        } else {
          video.handle(buffer, header: header, at: packet.time)
        }
        video.handleTimeout(at: packet.time)
        _ = video.drainFrames(at: packet.time)
        _ = video.drainFeedback(at: packet.time)
        while let received = audio.nextPacket() { jitterBuffer.insert(received) }
        _ = jitterBuffer.next(at: packet.time, queuedSamples: 0)
        while let report = feedback.nextFeedback(at: packet.time) {
          #expect(report.statuses.count <= 400)
        }
      }
    }
  }
}
