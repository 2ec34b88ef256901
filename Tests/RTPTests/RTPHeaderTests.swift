import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct RTPHeaderTests {
  @Test func `a plain header gives its fields and the payload's place`() throws {
    let packet = hex("80e0 1234 00000001 00000002 aabbcc")
    let header = try RTPHeader(bytes: packet)
    #expect(header.marker)
    #expect(header.payloadType == 96)
    #expect(header.sequenceNumber == 0x1234)
    #expect(header.timestamp == 1)
    #expect(header.ssrc == 2)
    #expect(header.extensionProfile == nil)
    #expect(header.payloadRange == 12..<15)
  }

  @Test func `contributing sources, extensions and padding are set apart`() throws {
    let packet = hex("b260 0001 00000001 00000002 0000000a 0000000b bede0001 10aa0000 0102 000003")
    let header = try RTPHeader(bytes: packet)
    let sources = header.contributingSources(in: packet.rawSpan)
    #expect(header.csrcCount == 2)
    #expect(sources == [10, 11])
    #expect(header.extensionProfile == 0xBEDE)
    #expect(header.extensionRange == 24..<28)
    #expect(header.payloadRange == 28..<30)
    #expect(header.paddingCount == 3)
  }

  @Test func `padding alone leaves an empty payload`() throws {
    let header = try RTPHeader(bytes: hex("a060 0001 00000001 00000002 000003"))
    #expect(header.payloadRange.isEmpty)
  }

  @Test(arguments: [
    ("", RTPError.truncated), ("80", .truncated), ("80e0123400000001000000", .truncated),
    ("81e0 1234 00000001 00000002", .truncated), ("90e0 1234 00000001 00000002 bede", .truncated),
    ("90e0 1234 00000001 00000002 bede0001 00", .truncated),
    ("a0e0 1234 00000001 00000002", .invalidPadding), ("a0e0 1234 00000001 00000002 00", .invalidPadding),
    ("a0e0 1234 00000001 00000002 05", .invalidPadding),
    ("40e0 1234 00000001 00000002", .unsupportedVersion(1)),
  ])
  func `a malformed header is an error`(text: String, error: RTPError) {
    #expect(throws: error) { try RTPHeader(bytes: hex(text)) }
  }

  @Test func `what is written is read again`() throws {
    let map = HeaderExtensionMap([(3, .absoluteSendTime), (5, .transportSequenceNumber), (4, .mid)])
    var values = RTPExtensionValues()
    values.absoluteSendTime = 0x123456
    values.transportSequenceNumber = 0xFFFE
    values.mid = "0"
    let written = RTPHeader(payloadType: 97, marker: true, sequenceNumber: 65535, timestamp: 7, ssrc: 9)
    let buffer = PacketBuffer()
    try written.write(into: buffer, extensions: values, map: map)
    try buffer.append([1, 2, 3])
    let read = try RTPHeader(buffer: buffer)
    #expect(read.payloadType == 97 && read.marker && read.sequenceNumber == 65535)
    #expect(read.payloadRange.count == 3)
    #expect(RTPExtensionValues(of: read, buffer: buffer, map: map) == values)

    #expect(map.setTransportSequenceNumber(77, in: buffer, header: read))
    #expect(map.setAbsoluteSendTime(0xABCDEF, in: buffer, header: read))
    let changed = RTPExtensionValues(of: read, buffer: buffer, map: map)
    #expect(changed.transportSequenceNumber == 77)
    #expect(changed.absoluteSendTime == 0xABCDEF)
    #expect(changed.mid == "0")
  }
}
