import WireFormat

/// One message of the kernel about links, addresses and routes (rtnetlink(7)), as far as paths need it.
package struct NetlinkMessage: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case link(NetworkPaths.Link, isGone: Bool)
    case address(NetworkPaths.Address, isUsable: Bool, isGone: Bool)
    case route(NetworkPaths.Route, isGone: Bool)
    /// The end of a list that was asked for; `failed` when the kernel refused to give it.
    case endOfList(failed: Bool)
  }

  package let content: Content
  /// Whether it is part of a list that was asked for, and no news.
  package let isListed: Bool

  package init(_ content: Content, isListed: Bool = false) {
    self.content = content
    self.isListed = isListed
  }

  /// A datagram holds at most this many; the rest is dropped.
  static let limit = 1024

  /// The messages of one datagram. Those of other kinds are left out; from a damaged one on, the rest is.
  package static func parse(_ datagram: RawSpan) -> [NetlinkMessage] {
    var messages: [NetlinkMessage] = []
    var reader = ByteReader(datagram)
    do {
      while !reader.isAtEnd, messages.count < limit {
        if let message = try next(&reader) { messages.append(message) }
      }
    } catch {
      // What follows a damaged message has no beginning that could be trusted.
    }
    return messages
  }

  /// The numbers of linux/rtnetlink.h and linux/netlink.h.
  private enum Kind {
    static let error: UInt16 = 2
    static let done: UInt16 = 3
    static let newLink: UInt16 = 16
    static let deleteLink: UInt16 = 17
    static let newAddress: UInt16 = 20
    static let deleteAddress: UInt16 = 21
    static let newRoute: UInt16 = 24
    static let deleteRoute: UInt16 = 25
  }

  private struct Damaged: Error {}

  /// The next message; nil for one of another kind.
  private static func next(_ reader: inout ByteReader) throws -> NetlinkMessage? {
    let length = try reader.nativeUInt32()
    let kind = try reader.nativeUInt16()
    let flags = try reader.nativeUInt16()
    try reader.skip(8)
    guard length >= 16, let size = Int(exactly: length - 16) else { throw Damaged() }
    var body = ByteReader(try reader.bytes(size))
    // Messages begin at multiples of four; the last one's padding may be missing.
    try reader.skip(min(-size & 3, reader.remaining))
    let isMultipart = flags & 0x2 != 0
    return try content(kind, &body).map { NetlinkMessage($0, isListed: isMultipart) }
  }

  private static func content(_ kind: UInt16, _ body: inout ByteReader) throws -> Content? {
    switch kind {
    case Kind.error: .endOfList(failed: try body.nativeUInt32() != 0)
    case Kind.done: .endOfList(failed: false)
    case Kind.newLink, Kind.deleteLink: try link(&body, isGone: kind == Kind.deleteLink)
    case Kind.newAddress, Kind.deleteAddress: try address(&body, isGone: kind == Kind.deleteAddress)
    case Kind.newRoute, Kind.deleteRoute: try route(&body, isGone: kind == Kind.deleteRoute)
    default: nil
    }
  }

  // MARK: Bodies

  /// `struct ifinfomsg`.
  private static func link(_ body: inout ByteReader, isGone: Bool) throws -> Content {
    try body.skip(4)
    let index = try body.nativeUInt32()
    let flags = try body.nativeUInt32()
    return .link(
      .init(
        index: index, isSwitchedOn: flags & 0x1 != 0, hasCarrier: flags & 0x40 != 0,
        isLoopback: flags & 0x8 != 0), isGone: isGone)
  }

  /// `struct ifaddrmsg` and its attributes.
  private static func address(_ body: inout ByteReader, isGone: Bool) throws -> Content? {
    let family = try body.uint8()
    try body.skip(1)
    var flags = UInt32(try body.uint8())
    try body.skip(1)
    let index = try body.nativeUInt32()
    var peer: IPAddress?
    var local: IPAddress?
    try attributes(&body) { kind, value in
      switch kind {
      case 1: peer = ip(value, family)
      case 2: local = ip(value, family)
      case 8: flags = try number(value)
      default: break
      }
    }
    // On a point-to-point link the address attribute is the other end's.
    guard let own = local ?? peer else { return nil }
    // IFA_F_DADFAILED, IFA_F_TENTATIVE: cannot be bound (yet).
    let isUsable = flags & (0x08 | 0x40) == 0
    return .address(.init(link: index, ip: own), isUsable: isUsable, isGone: isGone)
  }

  /// `struct rtmsg` and its attributes; nil for routes that send nothing anywhere.
  private static func route(_ body: inout ByteReader, isGone: Bool) throws -> Content? {
    let family = try body.uint8()
    let prefix = try body.uint8()
    try body.skip(2)
    var table = UInt32(try body.uint8())
    try body.skip(2)
    let kind = try body.uint8()
    try body.skip(4)
    var destination: IPAddress?
    var gateway: IPAddress?
    var link: UInt32?
    var metric: UInt32 = 0
    try attributes(&body) { kind, value in
      switch kind {
      case 1: destination = ip(value, family)
      case 4: link = try number(value)
      case 5: gateway = ip(value, family)
      case 6: metric = try number(value)
      case 15: table = try number(value)
      default: break
      }
    }
    let isUnicast = kind == 1
    let localTable: UInt32 = 255
    guard isUnicast, table != localTable, let link, family == 2 || family == 10 else { return nil }
    return .route(
      .init(
        link: link, isIPv6: family == 10, destination: destination, prefix: prefix, gateway: gateway,
        table: table, metric: metric), isGone: isGone)
  }

  /// Hands each attribute's kind and value to `each`; a damaged one ends the message.
  private static func attributes(
    _ body: inout ByteReader, _ each: (UInt16, RawSpan) throws -> Void
  ) throws {
    while body.remaining >= 4 {
      let length = Int(try body.nativeUInt16())
      let kind = try body.nativeUInt16()
      guard length >= 4 else { throw Damaged() }
      try each(kind, try body.bytes(length - 4))
      try body.skip(min(-length & 3, body.remaining))
    }
  }

  private static func number(_ bytes: RawSpan) throws -> UInt32 {
    var reader = ByteReader(bytes)
    return try reader.nativeUInt32()
  }

  private static func ip(_ bytes: RawSpan, _ family: UInt8) -> IPAddress? {
    // AF_INET and AF_INET6 on Linux.
    guard (family == 2 && bytes.byteCount == 4) || (family == 10 && bytes.byteCount == 16) else { return nil }
    return IPAddress(bytes: bytes)
  }
}

// The kernel writes in the machine's own byte order.
extension ByteReader {
  fileprivate mutating func nativeUInt16() throws(WireError) -> UInt16 { try uint16().bigEndian }
  fileprivate mutating func nativeUInt32() throws(WireError) -> UInt32 { try uint32().bigEndian }
}
