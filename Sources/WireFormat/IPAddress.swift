/// An IPv4 or IPv6 address, by value.
package struct IPAddress: Hashable, Sendable {
  package enum Family: UInt8, Sendable, Hashable {
    // The numbers are STUN's and TURN's (RFC 8489 section 14.1).
    case ipv4 = 1
    case ipv6 = 2
  }

  package let family: Family
  /// The address as one big-endian number: the first 64 bits (all of an IPv4 address is in `low`).
  package let high: UInt64
  package let low: UInt64

  package init(ipv4 value: UInt32) {
    family = .ipv4
    high = 0
    low = UInt64(value)
  }

  package init(ipv6High high: UInt64, low: UInt64) {
    family = .ipv6
    self.high = high
    self.low = low
  }

  /// From 4 or 16 bytes in network order; nil for another count.
  package init?(bytes: RawSpan) {
    var reader = ByteReader(bytes)
    switch bytes.byteCount {
    case 4:
      guard let value = try? reader.uint32() else { return nil }
      self.init(ipv4: value)
    case 16:
      guard let high = try? reader.uint64(), let low = try? reader.uint64() else { return nil }
      self.init(ipv6High: high, low: low)
    default: return nil
    }
  }

  /// 4 or 16 bytes in network order.
  package var bytes: [UInt8] {
    var writer = ByteWriter(capacity: 16)
    switch family {
    case .ipv4: writer.write(UInt32(truncatingIfNeeded: low))
    case .ipv6:
      writer.write(high)
      writer.write(low)
    }
    return writer.bytes
  }

  package static let ipv4Loopback = IPAddress(ipv4: 0x7F00_0001)
  package static let ipv6Loopback = IPAddress(ipv6High: 0, low: 1)
  package static let ipv4Any = IPAddress(ipv4: 0)
  package static let ipv6Any = IPAddress(ipv6High: 0, low: 0)

  package var isIPv4: Bool { family == .ipv4 }

  /// 0.0.0.0 or ::.
  package var isUnspecified: Bool { high == 0 && low == 0 }

  package var isLoopback: Bool {
    switch family {
    case .ipv4: low &>> 24 == 127
    case .ipv6: high == 0 && low == 1
    }
  }

  /// 169.254.0.0/16 or fe80::/10.
  package var isLinkLocal: Bool {
    switch family {
    case .ipv4: low &>> 16 == 0xA9FE
    case .ipv6: high &>> 54 == 0x3FA
    }
  }

  package var isMulticast: Bool {
    switch family {
    case .ipv4: low &>> 28 == 0xE
    case .ipv6: high &>> 56 == 0xFF
    }
  }

  /// RFC 1918 or RFC 6598 for IPv4, fc00::/7 for IPv6.
  package var isPrivate: Bool {
    switch family {
    case .ipv4:
      low &>> 24 == 10 || low &>> 20 == 0xAC1 || low &>> 16 == 0xC0A8 || low &>> 22 == 0x191
    case .ipv6: high &>> 57 == 0x7E
    }
  }

  /// ::ffff:a.b.c.d, which stands for an IPv4 address.
  package var isIPv4Mapped: Bool { family == .ipv6 && high == 0 && low &>> 32 == 0xFFFF }
}

extension IPAddress: LosslessStringConvertible {
  /// Parses dotted IPv4 or RFC 4291 text (no brackets; a `%zone` is refused); nil for anything else.
  package init?(_ text: String) {
    let utf8 = Array(text.utf8)
    guard utf8.count <= 45 else { return nil }
    if utf8.contains(UInt8(ascii: ":")) {
      guard let address = IPAddress.parseIPv6(utf8) else { return nil }
      self = address
    } else {
      guard let value = IPAddress.parseIPv4(utf8[...]) else { return nil }
      self.init(ipv4: value)
    }
  }

  /// Dotted IPv4, or IPv6 as RFC 5952 recommends.
  package var description: String {
    switch family {
    case .ipv4:
      return "\(low &>> 24 & 255).\(low &>> 16 & 255).\(low &>> 8 & 255).\(low & 255)"
    case .ipv6:
      if isIPv4Mapped {
        return "::ffff:\(low &>> 24 & 255).\(low &>> 16 & 255).\(low &>> 8 & 255).\(low & 255)"
      }
      return compressed(groups)
    }
  }

  private var groups: [UInt16] {
    (0..<8).map { index in
      let word = index < 4 ? high : low
      return UInt16(truncatingIfNeeded: word &>> UInt64(48 - index % 4 * 16))
    }
  }

  private func compressed(_ groups: [UInt16]) -> String {
    var best = 0..<0
    var index = 0
    while index < 8 {
      var end = index
      while end < 8, groups[end] == 0 { end += 1 }
      if end - index > best.count { best = index..<end }
      index = max(end, index + 1)
    }
    func text(_ range: Range<Int>) -> String {
      range.map { String(groups[$0], radix: 16) }.joined(separator: ":")
    }
    guard best.count > 1 else { return text(0..<8) }
    return text(0..<best.lowerBound) + "::" + text(best.upperBound..<8)
  }

  private static func parseIPv4(_ text: ArraySlice<UInt8>) -> UInt32? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var value: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      // A leading zero means octal to some readers: refused, as inet_pton does.
      guard part.count == 1 || part.first != 0x30 else { return nil }
      let number = part.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - 0x30) }
      guard number <= 255 else { return nil }
      value = value &<< 8 | number
    }
    return value
  }

  private static func parseGroup(_ text: ArraySlice<UInt8>) -> UInt16? {
    guard (1...4).contains(text.count) else { return nil }
    var value: UInt16 = 0
    for byte in text {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte &- 0x30
      case 0x41...0x46: digit = byte &- 0x41 &+ 10
      case 0x61...0x66: digit = byte &- 0x61 &+ 10
      default: return nil
      }
      value = value &<< 4 | UInt16(digit)
    }
    return value
  }

  private static func parseIPv6(_ text: [UInt8]) -> IPAddress? {
    var head: [UInt16] = []
    var tail: [UInt16] = []
    var seenGap = false
    var rest = text[...]
    if rest.starts(with: [0x3A, 0x3A]) {
      seenGap = true
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      let part = rest.prefix { $0 != UInt8(ascii: ":") }
      rest = rest.dropFirst(part.count)
      if rest.isEmpty, part.contains(UInt8(ascii: ".")) {
        guard let value = parseIPv4(part) else { return nil }
        let words = [UInt16(truncatingIfNeeded: value &>> 16), UInt16(truncatingIfNeeded: value)]
        if seenGap { tail += words } else { head += words }
        break
      }
      guard let group = parseGroup(part) else { return nil }
      if seenGap { tail.append(group) } else { head.append(group) }
      if rest.isEmpty { break }
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: ":") {
        guard !seenGap else { return nil }
        seenGap = true
        rest = rest.dropFirst()
      } else if rest.isEmpty {
        return nil
      }
    }
    let given = head.count + tail.count
    guard seenGap ? given <= 7 : given == 8 else { return nil }
    let all = head + [UInt16](repeating: 0, count: 8 - given) + tail
    let high = all[0..<4].reduce(UInt64(0)) { $0 &<< 16 | UInt64($1) }
    let low = all[4..<8].reduce(UInt64(0)) { $0 &<< 16 | UInt64($1) }
    return IPAddress(ipv6High: high, low: low)
  }
}
