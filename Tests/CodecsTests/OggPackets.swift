import TestSupport

/// Packets of the one stream of an Ogg file (RFC 3533), headers included.
func oggPackets(_ path: String) throws -> [[UInt8]] {
  let bytes = try Fixture.bytes(path)
  var packets: [[UInt8]] = []
  var open: [UInt8] = []
  var position = 0
  while position + 27 <= bytes.count, Array(bytes[position..<position + 4]) == Array("OggS".utf8) {
    let segments = Int(bytes[position + 26])
    var data = position + 27 + segments
    for index in 0..<segments {
      let length = Int(bytes[position + 27 + index])
      open += bytes[data..<data + length]
      data += length
      if length < 255 {
        packets.append(open)
        open = []
      }
    }
    position = data
  }
  return packets
}
