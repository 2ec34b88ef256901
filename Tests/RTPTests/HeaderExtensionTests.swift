import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct HeaderExtensionTests {
  private func elements(_ packet: String) throws -> [UInt8: [UInt8]] {
    let bytes = hex(packet)
    let header = try RTPHeader(bytes: bytes)
    var found: [UInt8: [UInt8]] = [:]
    var elements = HeaderExtensionElements(of: header, in: bytes.rawSpan)
    while let element = elements.next() { found[element.id] = Array(bytes[element.range]) }
    return found
  }

  @Test(
    arguments: [
      // ID 0 with a length ends the block.
      ("90600001 00000001 00000002 bede0002 10aaf0bb 22ccdd00", [UInt8(1): [UInt8(0xAA)]]),
      ("90600001 00000001 00000002 bede0002 10aa02bb 22ccdd00", [1: [0xAA]]),
      ("90600001 00000001 00000002 bede0000", [:]),
      ("90600001 00000001 00000002 bede0002 00001000 0020ff00", [1: [0], 2: [0xFF]]),
      // An element that runs over the block's end.
      ("90600001 00000001 00000002 bede0001 10aa2fbb ff", [1: [0xAA]]),
      // Two-byte form, with an empty element and an ID over 15.
      ("90600001 00000001 00000002 10000002 0101aa00 c8000f01 bb", [1: [0xAA], 200: []]),
      ("90600001 00000001 00000002 10050002 0101aa00 c8020102", [1: [0xAA], 200: [1, 2]]),
      ("90600001 00000001 00000002 12340001 0101aa00", [:]),
    ] as [(String, [UInt8: [UInt8]])])
  func `elements are read by RFC 8285's rules`(packet: String, expected: [UInt8: [UInt8]]) throws {
    let found = try elements(packet)
    #expect(found == expected)
  }

  private var everything: RTPExtensionValues {
    var values = RTPExtensionValues()
    values.absoluteSendTime = 0xABCDEF
    values.transportSequenceNumber = 65535
    values.mid = "video0"
    values.rid = "hi"
    values.repairedRid = "lo"
    values.audioLevel = AudioLevel(level: 33, isVoice: true)
    values.videoOrientation = VideoOrientation(rawValue: 3)
    values.playoutDelay = PlayoutDelay(minimum: .milliseconds(20), maximum: .milliseconds(400))
    values.transmissionOffset = -77
    values.colourSpace = VideoColourSpace(rawValue: 0x0101_0125)
    return values
  }

  @Test(arguments: [1 as UInt8, 100])
  func `all values survive both forms`(firstID: UInt8) throws {
    var map = HeaderExtensionMap(allowsTwoByteForm: true)
    for (index, kind) in HeaderExtensionKind.allCases.enumerated() {
      map.set(kind, id: firstID + UInt8(index))
    }
    let buffer = PacketBuffer()
    let header = RTPHeader(payloadType: 96, sequenceNumber: 1, timestamp: 2, ssrc: 3)
    try header.write(into: buffer, extensions: everything, map: map)
    try buffer.append([9])
    let read = try RTPHeader(buffer: buffer)
    #expect(read.extensionProfile == (firstID == 1 ? 0xBEDE : 0x1000))
    #expect(RTPExtensionValues(of: read, buffer: buffer, map: map) == everything)
    #expect(read.payloadRange.count == 1)
  }

  // With the 24 bytes of high dynamic range behind it, too.
  @Test(arguments: [0, 24])
  func `a colour space names matrix and range`(more: Int) throws {
    let bytes =
      hex("90600001 00000001 00000002 1000 \(more == 0 ? "0002 0904 01010125 0000" : "0008 091c 01010125")")
      + [UInt8](repeating: 0, count: more == 0 ? 0 : 26)
    let values = RTPExtensionValues(
      of: try RTPHeader(bytes: bytes), in: bytes.rawSpan, map: HeaderExtensionMap([(9, .colourSpace)]))
    #expect(values.colourSpace?.matrix == 1)
    #expect(values.colourSpace?.isFullRange == true)
    #expect(VideoColourSpace(rawValue: 0x0606_0610).isFullRange == false)
    #expect(VideoColourSpace(rawValue: 0x0606_0600).isFullRange == nil)
  }

  @Test func `an element that needs the two-byte form is left out where the peer does not mix`() throws {
    var map = HeaderExtensionMap()
    map.set(.mid, id: 20)
    map.set(.audioLevel, id: 2)
    let buffer = PacketBuffer()
    try RTPHeader(payloadType: 96, sequenceNumber: 1, timestamp: 2, ssrc: 3)
      .write(into: buffer, extensions: everything, map: map)
    let read = RTPExtensionValues(of: try RTPHeader(buffer: buffer), buffer: buffer, map: map)
    #expect(read.mid == nil)
    #expect(read.audioLevel == everything.audioLevel)
  }

  @Test func `numbers 0 and 15 are never given out, and a number has one meaning`() {
    var map = HeaderExtensionMap([(0, .mid), (15, .rid), (3, .audioLevel)])
    #expect(map.id(of: .mid) == nil)
    #expect(map.id(of: .rid) == nil)
    map.set(.mid, id: 3)
    #expect(map.kind(of: 3) == .mid)
    #expect(map.id(of: .audioLevel) == nil)
    map.set(.mid, id: 4)
    #expect(map.kind(of: 3) == nil)
  }
}
