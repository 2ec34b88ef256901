import WireFormat

/// The payload protocol identifiers of data channels (RFC 8831 section 8).
enum PayloadProtocol {
  static let control: UInt32 = 50
  static let text: UInt32 = 51
  /// Obsolete fragments of binary and text; still delivered as what they are part of.
  static let binaryPartial: UInt32 = 52
  static let binary: UInt32 = 53
  static let textPartial: UInt32 = 54
  static let emptyText: UInt32 = 56
  static let emptyBinary: UInt32 = 57
}

/// A message of the Data Channel Establishment Protocol (RFC 8832 section 5).
enum DataChannelMessage: Hashable {
  case open(Open)
  case acknowledge

  struct Open: Hashable {
    var label: String
    var options: DataChannelOptions
  }

  private static let acknowledgeType: UInt8 = 2
  private static let openType: UInt8 = 3
  private static let unorderedBit: UInt8 = 0x80

  /// nil for anything that is not one of the two messages; bytes behind an OPEN's protocol are ignored.
  init?(_ bytes: RawSpan) {
    var reader = ByteReader(bytes)
    guard let parsed = try? Self.parse(&reader) else { return nil }
    self = parsed
  }

  private static func parse(_ reader: inout ByteReader) throws(WireError) -> DataChannelMessage? {
    switch try reader.uint8() {
    case acknowledgeType: return .acknowledge
    case openType: break
    default: return nil
    }
    let channelType = try reader.uint8()
    let priority = try reader.uint16()
    let reliability = try reader.uint32()
    let labelLength = Int(try reader.uint16())
    let protocolLength = Int(try reader.uint16())
    var options = DataChannelOptions()
    options.isOrdered = channelType & unorderedBit == 0
    options.priority = .init(wireValue: priority)
    switch channelType & ~unorderedBit {
    case 0: options.reliability = .full
    case 1: options.reliability = .maxRetransmits(reliability)
    case 2: options.reliability = .maxPacketLifetime(milliseconds: reliability)
    default: return nil
    }
    let label = try reader.bytes(labelLength).copyBytes()
    options.protocol = String(decoding: try reader.bytes(protocolLength).copyBytes(), as: UTF8.self)
    return .open(Open(label: String(decoding: label, as: UTF8.self), options: options))
  }

  var bytes: [UInt8] {
    switch self {
    case .acknowledge: return [Self.acknowledgeType]
    case .open(let open):
      let label = Array(open.label.utf8)
      let subprotocol = Array(open.options.protocol.utf8)
      var writer = ByteWriter(capacity: 12 + label.count + subprotocol.count)
      var channelType: UInt8 = open.options.isOrdered ? 0 : Self.unorderedBit
      var parameter: UInt32 = 0
      switch open.options.reliability {
      case .full: break
      case .maxRetransmits(let count): (channelType, parameter) = (channelType | 1, count)
      case .maxPacketLifetime(let milliseconds): (channelType, parameter) = (channelType | 2, milliseconds)
      }
      writer.write(Self.openType)
      writer.write(channelType)
      writer.write(open.options.priority.rawValue)
      writer.write(parameter)
      writer.write(UInt16(truncatingIfNeeded: label.count))
      writer.write(UInt16(truncatingIfNeeded: subprotocol.count))
      writer.write(label)
      writer.write(subprotocol)
      return writer.bytes
    }
  }
}
