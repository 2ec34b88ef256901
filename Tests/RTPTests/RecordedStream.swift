import Foundation
import RTP
import TestSupport
import WireFormat

/// A datagram of a recording, told apart.
struct RecordedPacket {
  let time: Instant
  let source: String
  let bytes: [UInt8]
  let isRTCP: Bool
  /// Whether it reached its receiver.
  let arrived: Bool
}

enum RecordedStream {
  static let rtpFiles = [
    "rtp/runtime_VP8.pcap", "rtp/runtime_VP9.pcap", "rtp/client_VP8.pcap", "rtp/client_VP9.pcap",
    "rtp/sdk-0.8_runtime-2.10.pcap", "rtp/runtime_VP8_feedback.pcap",
  ]
  static let relayFiles = [
    "relay/loss-vp8/00.clear.pcap", "relay/loss-vp9/00.clear.pcap", "relay/loss-heavy-vp8/00.clear.pcap",
    "relay/loss-red-vp8/00.clear.pcap", "relay/metadata-vp8/00.clear.pcap",
  ]

  static let formats: [UInt8: VideoPayloadFormat] = [
    96: .media(.vp8), 97: .retransmission(associated: 96), 98: .media(.vp9),
    99: .retransmission(associated: 98), 100: .media(.vp9), 101: .retransmission(associated: 100),
    103: .redundant, 104: .retransmission(associated: 103),
  ]

  /// What the payload types mean in a file; the oldest one numbered them otherwise.
  static func formats(of file: String) -> [UInt8: VideoPayloadFormat] {
    file.contains("2.10") ? [97: .media(.vp8)] : formats
  }

  static func read(_ file: String) throws -> [RecordedPacket] {
    let path = "Packets/reactor/\(file)"
    let lostPath = path.replacingOccurrences(of: "clear.pcap", with: "lost.json")
    var lost: Set<Int> = []
    if lostPath != path, let data = try? Fixture.bytes(lostPath) {
      lost = Set(try JSONDecoder().decode([Int].self, from: Data(data)))
    }
    return try PacketCapture.read(path).enumerated().compactMap { number, datagram in
      guard datagram.ipProtocol == 17, datagram.sourcePort != 9899, datagram.payload.count > 1,
        datagram.payload[0] >> 6 == 2
      else {
        return nil
      }
      return RecordedPacket(
        time: Instant.origin + .seconds(datagram.time), source: datagram.source, bytes: datagram.payload,
        isRTCP: RTPHeader.isRTCP(datagram.payload.rawSpan), arrived: !lost.contains(number + 1))
    }
  }
}
