import SCTP
import TestSupport
import WireFormat

/// A transport whose other side is written down by hand, with libwebrtc's INIT by SNAP.
final class ScriptedPeer {
  let transport: DataChannelTransport
  let tag: UInt32
  var now = Instant.origin + .seconds(Int64(1))
  private(set) var events: [DataChannelEvent] = []
  private(set) var sent: [[UInt8]] = []
  private let buffer = PacketBuffer()

  static let peerTag: UInt32 = 0x0102_0304
  static let firstTSN: UInt32 = 1000

  /// As libwebrtc writes it, with the extensions given.
  static func initiation(
    extensions: String = "80080006 82c0", window: String = "00500000", streams: String = "ffffffff"
  ) -> [UInt8] {
    let body = hex("01020304") + hex(window) + hex(streams) + hex("000003e8") + hex("c0000004 \(extensions)")
    return [1, 0, 0, UInt8(body.count + 4)] + body
  }

  init(
    configuration: SCTPConfiguration = SCTPConfiguration(), remoteInit: [UInt8] = initiation(),
    isDTLSClient: Bool = true, seed: UInt64 = 5
  ) {
    transport = DataChannelTransport(configuration: configuration, random: RandomSource(seed: seed))
    tag = transport.localInit[4..<8].reduce(0) { $0 << 8 | UInt32($1) }
    transport.start(
      isDTLSClient: isDTLSClient, remoteMaxMessageSize: 262_144, remoteInit: remoteInit, at: now)
    drain()
  }

  func drain() {
    let buffer = buffer
    while true {
      buffer.reset()
      guard transport.nextTransmit(into: buffer, at: now) else { break }
      sent.append(buffer.bytes.copyBytes())
    }
    while let event = transport.nextEvent() { events.append(event) }
  }

  func clear() {
    events = []
    sent = []
  }

  func receive(_ chunks: [UInt8]..., tag: UInt32? = nil) {
    transport.handle(packet(tag ?? self.tag, chunks.reduce([], +)).rawSpan, at: now)
    drain()
  }

  func receive(raw packet: [UInt8]) {
    transport.handle(packet.rawSpan, at: now)
    drain()
  }

  func advance(_ interval: Interval) {
    let end = now + interval
    while let timeout = transport.nextTimeout(), timeout <= end {
      now = max(now, timeout)
      transport.handleTimeout(at: now)
      drain()
    }
    now = end
  }

  /// The chunks sent since `clear`, each with its header.
  var sentChunks: [[UInt8]] { sent.flatMap(chunks) }

  func sentChunk(_ type: UInt8) -> [UInt8]? { sentChunks.last { $0[0] == type } }

  var messages: [[UInt8]] {
    events.compactMap { if case .message(_, let bytes, _) = $0 { bytes } else { nil } }
  }

  var end: AssociationCloseReason? {
    for case .closed(let reason) in events { return reason }
    return nil
  }
}

/// A packet from and to port 5000 with a right checksum.
func packet(_ tag: UInt32, _ chunks: [UInt8]) -> [UInt8] {
  var writer = ByteWriter()
  writer.write(UInt16(5000))
  writer.write(UInt16(5000))
  writer.write(tag)
  writer.write(UInt32(0))
  writer.write(chunks)
  let checksum = CRC32C.checksum(writer.bytes.rawSpan)
  writer.set(checksum.byteSwapped, at: 8)
  return writer.bytes
}

/// A chunk with its padding.
func chunk(_ type: UInt8, flags: UInt8 = 0, _ value: [UInt8] = []) -> [UInt8] {
  let length = value.count + 4
  let padding = [UInt8](repeating: 0, count: (4 - length % 4) % 4)
  return [type, flags, UInt8(length >> 8), UInt8(length & 255)] + value + padding
}

func bigEndian(_ value: UInt32) -> [UInt8] {
  [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
}

func data(
  tsn: UInt32, stream: UInt16 = 1, sequence: UInt16 = 0, payloadProtocol: UInt32 = 53, flags: UInt8 = 3,
  _ payload: [UInt8]
) -> [UInt8] {
  chunk(
    0, flags: flags,
    bigEndian(tsn) + bigEndian(UInt32(stream) << 16 | UInt32(sequence)) + bigEndian(payloadProtocol) + payload
  )
}

/// DATA with the DCEP OPEN of a reliable ordered channel.
func openChannel(tsn: UInt32, stream: UInt16 = 1, label: String) -> [UInt8] {
  data(
    tsn: tsn, stream: stream, payloadProtocol: 50,
    [3, 0, 1, 0, 0, 0, 0, 0, 0, UInt8(label.utf8.count), 0, 0] + Array(label.utf8))
}

func selectiveAck(_ tsn: UInt32, window: UInt32 = 5_000_000, gaps: [UInt8] = []) -> [UInt8] {
  chunk(3, bigEndian(tsn) + bigEndian(window) + bigEndian(UInt32(gaps.count / 4) << 16) + gaps)
}

/// The chunks of a packet, each with header and without padding.
func chunks(_ packet: [UInt8]) -> [[UInt8]] {
  var result: [[UInt8]] = []
  var offset = 12
  while offset + 4 <= packet.count {
    let length = Int(packet[offset + 2]) << 8 | Int(packet[offset + 3])
    result.append(Array(packet[offset..<min(packet.count, offset + max(4, length))]))
    offset += max(4, (length + 3) & ~3)
  }
  return result
}
