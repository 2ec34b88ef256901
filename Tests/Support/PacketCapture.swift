import Foundation
import WireFormat

/// A datagram of a pcap file.
package struct CapturedDatagram: Sendable {
  /// 17 is UDP, 132 is bare SCTP.
  package let ipProtocol: UInt8
  package let source: String
  package let destination: String
  /// 0 where the protocol has no UDP ports.
  package let sourcePort: UInt16
  package let destinationPort: UInt16
  package let payload: [UInt8]
  /// Seconds since the first packet of the file.
  package let time: Double
}

/// Reads classic pcap files with Ethernet (1), raw IPv4 (101, 228) or Linux cooked (113) link types.
package enum PacketCapture {
  package struct Unreadable: Error {
    package let why: String
  }

  package static func read(_ fixture: String) throws -> [CapturedDatagram] {
    try parse(try Fixture.bytes(fixture))
  }

  package static func parse(_ file: [UInt8]) throws -> [CapturedDatagram] {
    var reader = ByteReader(file.rawSpan)
    let magic = try reader.uint32()
    let isLittle: Bool
    let isNanosecond: Bool
    switch magic {
    case 0xD4C3_B2A1: (isLittle, isNanosecond) = (true, false)
    case 0xA1B2_C3D4: (isLittle, isNanosecond) = (false, false)
    case 0x4D3C_B2A1: (isLittle, isNanosecond) = (true, true)
    case 0xA1B2_3C4D: (isLittle, isNanosecond) = (false, true)
    default: throw Unreadable(why: "not a pcap file")
    }
    func number(_ raw: UInt32) -> UInt32 { isLittle ? raw.byteSwapped : raw }
    try reader.skip(16)
    let linkType = number(try reader.uint32())
    var result: [CapturedDatagram] = []
    var start: Double?
    while !reader.isAtEnd {
      let seconds = Double(number(try reader.uint32()))
      let fraction = Double(number(try reader.uint32()))
      let captured = Int(number(try reader.uint32()))
      try reader.skip(4)
      let time = seconds + fraction / (isNanosecond ? 1e9 : 1e6)
      let first = start ?? time
      start = first
      let frame = try reader.bytes(captured)
      if let datagram = try datagram(in: frame, linkType: linkType, time: time - first) {
        result.append(datagram)
      }
    }
    return result
  }

  private static func datagram(
    in frame: RawSpan, linkType: UInt32, time: Double
  ) throws -> CapturedDatagram? {
    var reader = ByteReader(frame)
    switch linkType {
    case 1: try reader.skip(14)
    case 113: try reader.skip(16)
    case 101, 228: break
    default: throw Unreadable(why: "link type \(linkType)")
    }
    guard let version = reader.peek(), version >> 4 == 4 else { return nil }
    let headerLength = Int(version & 15) * 4
    try reader.skip(2)
    let totalLength = Int(try reader.uint16())
    try reader.skip(5)
    let ipProtocol = try reader.uint8()
    try reader.skip(2)
    let source = IPAddress(ipv4: try reader.uint32())
    let destination = IPAddress(ipv4: try reader.uint32())
    try reader.skip(headerLength - 20)
    var length = totalLength - headerLength
    var ports: (UInt16, UInt16) = (0, 0)
    if ipProtocol == 17 {
      ports = (try reader.uint16(), try reader.uint16())
      try reader.skip(4)
      length -= 8
    }
    return CapturedDatagram(
      ipProtocol: ipProtocol, source: source.description, destination: destination.description,
      sourcePort: ports.0, destinationPort: ports.1, payload: try reader.bytes(length).copyBytes(), time: time
    )
  }
}
