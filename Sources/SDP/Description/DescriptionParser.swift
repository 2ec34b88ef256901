/// Turns text into a ``SessionDescription``, line by line and in linear time.
struct DescriptionParser {
  private var origin: Origin?
  private var sessionLines: [SDPLine] = []
  private var media: [MediaSection] = []
  private var hasVersion = false

  static func parse(_ text: String) throws(SDPError) -> SessionDescription {
    guard text.utf8.count <= SDPLimits.bytes else { throw .tooLarge(bytes: text.utf8.count) }
    var contiguous = text
    contiguous.makeContiguousUTF8()
    var parser = DescriptionParser()
    var number = 0
    var rest = contiguous.utf8[...]
    while !rest.isEmpty {
      number += 1
      guard number <= SDPLimits.lines else { throw .tooManyLines }
      let line = rest.prefix { $0 != 0x0A }
      rest = rest[line.endIndex...].dropFirst()
      try parser.take(Substring(line).trimmingLineEnd, number: number)
    }
    return try parser.finish(at: number + 1)
  }

  private mutating func take(_ line: Substring, number: Int) throws(SDPError) {
    guard !line.isEmpty else { return }
    let bytes = line.utf8
    guard let type = bytes.first, (0x61...0x7A).contains(type), bytes.dropFirst().first == UInt8(ascii: "="),
      !bytes.contains(where: { $0 == 0x0D || $0 == 0 })
    else { throw .malformedLine(line: number, expected: "<letter>=<text>") }
    let value = Substring(bytes.dropFirst(2))
    guard hasVersion else {
      guard type == UInt8(ascii: "v"), value.trimmingBlanks == "0" else {
        throw .malformedLine(line: number, expected: "v=0")
      }
      hasVersion = true
      return
    }
    switch type {
    case UInt8(ascii: "v"): throw .malformedLine(line: number, expected: "a single v=0")
    case UInt8(ascii: "o"): try takeOrigin(value, number: number)
    case UInt8(ascii: "m"): try takeMedia(value, number: number)
    case UInt8(ascii: "a"): add(.attribute(SDPAttribute(parsing: value)))
    default: add(.other(type: type, value: String(value)))
    }
  }

  private mutating func takeOrigin(_ value: Substring, number: Int) throws(SDPError) {
    guard origin == nil, media.isEmpty else {
      throw .malformedLine(line: number, expected: "a single o= before the media sections")
    }
    guard let parsed = Origin(parsing: value) else {
      throw .malformedLine(line: number, expected: "o=<user> <id> <version> IN IP4|IP6 <address>")
    }
    origin = parsed
  }

  private mutating func takeMedia(_ value: Substring, number: Int) throws(SDPError) {
    guard origin != nil else { throw .missingLine(line: number, expected: "o=") }
    guard media.count < SDPLimits.sections else { throw .tooManySections(line: number) }
    guard let section = MediaSection(parsing: value) else {
      throw .malformedLine(line: number, expected: "m=<kind> <port> <protocol> <formats>")
    }
    media.append(section)
  }

  private mutating func add(_ line: SDPLine) {
    if media.isEmpty {
      sessionLines.append(line)
    } else {
      media[media.count - 1].lines.append(line)
    }
  }

  private func finish(at end: Int) throws(SDPError) -> SessionDescription {
    guard hasVersion else { throw .missingLine(line: end, expected: "v=0") }
    guard let origin else { throw .missingLine(line: end, expected: "o=") }
    return SessionDescription(origin: origin, lines: sessionLines, media: media)
  }
}
