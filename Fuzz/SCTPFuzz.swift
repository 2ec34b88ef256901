import SCTP
import WireFormat

// Input: packets behind one another, each with a length byte times 8; the tag is set right, so that most
// inputs reach the chunks, and the checksum is 0, which our own offer (RFC 9653) allows.
/// One input of the fuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSCTP(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
  let transport = DataChannelTransport(random: RandomSource(seed: 1))
  let peerInit: [UInt8] = [
    1, 0, 0, 38, 1, 2, 3, 4, 0, 0x50, 0, 0, 255, 255, 255, 255, 0, 0, 3, 0xE8, 0xC0, 0, 0, 4, 0x80, 1, 0, 8,
    0, 0,
    0, 1, 0x80, 8, 0, 6, 0x82, 0xC0,
  ]
  var now = Instant.origin + .seconds(Int64(1))
  let tag = Array(transport.localInit[4..<8])
  transport.start(isDTLSClient: true, remoteMaxMessageSize: 0, remoteInit: peerInit, at: now)
  let buffer = PacketBuffer()
  var offset = 0
  while offset < input.count {
    let end = min(input.count, offset + 1 + Int(input[offset]) * 8)
    let packet =
      [0x13, 0x88, 0x13, 0x88] + tag + [0, 0, 0, 0] + Array(input[(offset + 1)..<max(offset + 1, end)])
    transport.handle(packet.rawSpan, at: now)
    repeat { buffer.reset() } while transport.nextTransmit(into: buffer, at: now)
    while transport.nextEvent() != nil {}
    if let timeout = transport.nextTimeout(), packet.count % 3 == 0 {
      now = max(now, timeout)
      transport.handleTimeout(at: now)
    }
    offset = max(offset + 1, end)
  }
  return 0
}
