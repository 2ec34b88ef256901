import WireFormat

/// Builds control chunks, parameters and error causes, which share one layout (type, length, value).
enum ChunkWriter {
  /// A chunk: its length leaves out the padding that is appended, also that of a last parameter.
  static func chunk(_ type: UInt8, flags: UInt8 = 0, _ value: [UInt8] = []) -> [UInt8] {
    var writer = ByteWriter(capacity: value.count + 8)
    writer.write(type)
    writer.write(flags)
    writer.write(UInt16(truncatingIfNeeded: value.count + 4))
    writer.write(value)
    pad(&writer)
    return writer.bytes
  }

  /// Parameters or causes behind one another: all but the last one padded.
  static func join(_ parameters: [[UInt8]]) -> [UInt8] {
    var writer = ByteWriter(capacity: 64)
    for parameter in parameters {
      pad(&writer)
      writer.write(parameter)
    }
    return writer.bytes
  }

  /// A parameter or an error cause, without the padding that follows it unless it is the last.
  static func parameter(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(capacity: value.count + 8)
    writer.write(type)
    writer.write(UInt16(truncatingIfNeeded: value.count + 4))
    writer.write(value)
    return writer.bytes
  }

  /// An error cause whose value is text, cut so that it fits in any packet.
  static func cause(_ code: UInt16, text: String) -> [UInt8] {
    parameter(code, Array(text.utf8.prefix(256)))
  }

  private static func pad(_ writer: inout ByteWriter) {
    writer.writeZeros(WireSize.padded(writer.count) - writer.count)
  }
}
