import STUN
import TestSupport
import Testing
import WireFormat

struct TURNFramingTests {
  static let peer = STUNMessageTests.ipv4
  private let message = STUNMessage(.request, .binding, transactionID: STUNMessageTests.id).encoded(
    fingerprint: false)

  @Test func `a stream fed byte by byte gives the same frames as one fed at once`() {
    let channel = hex("4001 0005 0102030405 000000")
    let all = message + channel + message
    let slow = Box(TURNStreamFramer())
    var frames: [[UInt8]] = []
    for byte in all {
      slow.append([byte])
      while let frame = slow.next() { frames.append(frame) }
    }
    #expect(frames == [message, Array(channel.prefix(9)), message])
    let fast = Box(TURNStreamFramer())
    fast.append(all)
    #expect([fast.next(), fast.next(), fast.next(), fast.next()] == [frames[0], frames[1], frames[2], nil])
  }

  @Test func `channel data of no bytes and of 65535 bytes are frames`() {
    let framer = Box(TURNStreamFramer())
    framer.append(hex("40010000"))
    #expect(framer.next() == hex("40010000"))
    let big = hex("4001ffff") + [UInt8](repeating: 7, count: 65_535)
    framer.append(big)
    #expect(framer.next() == nil)
    framer.append([0])
    #expect(framer.next() == big)
    #expect(framer.next() == nil)
  }

  @Test(arguments: ["8001000000000000", "5000000000000000", "0001000100000000", "0001000000000000"])
  func `bytes that are neither STUN nor channel data break the stream for good`(_ text: String) {
    let framer = Box(TURNStreamFramer())
    framer.append(hex(text))
    #expect(framer.next() == nil)
    #expect(framer.isBroken)
    framer.append(message)
    #expect(framer.next() == nil)
  }

  @Test(arguments: [0, 1, 3, 4, 1200])
  func `a send indication around a packet equals the encoded message`(_ count: Int) throws {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let packet = PacketBuffer(copying: payload)
    let template = TURNIndication.sendTemplate(to: Self.peer, transactionID: STUNMessageTests.id)
    try TURNIndication.wrap(packet, template: template)
    let whole = STUNMessage(
      .indication, .send, transactionID: STUNMessageTests.id,
      attributes: [.xorPeerAddress(Self.peer), .data(payload)]
    ).encoded(fingerprint: false)
    #expect(packet.bytes.copyBytes() == whole)
    #expect(TURNIndication.wrap(payload, template: template) == whole)
  }

  @Test func `a data indication gives the peer and the payload's place`() throws {
    let bytes = STUNMessage(
      .indication, .data, transactionID: STUNMessageTests.id,
      attributes: [.xorPeerAddress(STUNMessageTests.ipv6), .software("x"), .data([9, 8, 7])]
    ).encoded()
    let (peer, range) = try #require(TURNIndication.parseData(bytes))
    #expect(peer == STUNMessageTests.ipv6)
    #expect(Array(bytes[range]) == [9, 8, 7])
  }

  @Test func `channel data longer than its datagram is refused`() {
    #expect(ChannelData.parse(hex("40010004 010203")) == nil)
    #expect(ChannelData.parse(hex("40010003 010203"))?.payload == 4..<7)
    #expect(ChannelData.parse(hex("50000000")) == nil)
  }
}
