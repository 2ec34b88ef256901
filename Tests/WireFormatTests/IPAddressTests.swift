import Testing
import TestSupport
import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

struct IPAddressTests {
  // RFC 5952 section 4 and RFC 4291 section 2.2: text, and what it is written as.
  static let texts: [(String, String)] = [
    ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
    ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8::1", "2001:db8::1"),
    ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
    ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
    ("2001:0db8::0001", "2001:db8::1"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
    ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
    ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("::FFFF:c000:201", "::ffff:192.0.2.1"),
    ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
    ("fe80::1", "fe80::1"),
  ]

  @Test(arguments: texts)
  func `is written as RFC 5952 recommends, and read again`(text: String, expected: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.description == expected)
    #expect(IPAddress(expected) == address)
  }

  @Test(arguments: [
    "", ".", ":", ":::", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.-4", "1.2.3.+4", "1..3.4", "01.2.3.4",
    "1.2.3.00", "1.2.3.4 ", " 1.2.3.4", "0x1.2.3.4", "1.2.3.4:5", "1::2::3", "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:", ":2:3:4:5:6:7:8", "::1:2:3:4:5:6:7:8", "12345::", "g::", "-0::", "+1::", "1:-0::",
    "::1%eth0",
    "[::1]", "::1.2.3", "::1.2.3.4:5", "1.2.3.4::", "1:2:3:4:5:6:7:1.2.3.4", "::ffff:1.2.3.256", "localhost",
    "3f0c1b2a-0000-4000-8000-000000000001.local", "::é", "１.2.3.4",
  ])
  func `text that is no address is refused`(text: String) {
    #expect(IPAddress(text) == nil)
  }

  // The C library as a second opinion.
  @Test(arguments: UInt64(1)...4)
  func `reads what inet_pton reads`(seed: UInt64) {
    var random = RandomSource(seed: seed)
    let pieces = [
      "0", "1", "9", "25", "255", "256", "a", "F", "ffff", ":", ":", "::", ".", ".", "1.2.3.4", "x", "-", "+",
    ]
    for _ in 0..<25_000 {
      let text = (0..<Int.random(in: 1...15, using: &random))
        .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
      guard text.utf8.count <= 45 else { continue }
      #expect(IPAddress(text)?.bytes == systemBytes(text), "seed \(seed): \(text)")
    }
  }

  @Test func `bytes there and back are the same, for every written form`() throws {
    var random = RandomSource(seed: 12)
    for round in 0..<5000 {
      var bytes = random.bytes(round % 4 == 0 ? 4 : 16)
      // Zeros make the interesting forms.
      for index in bytes.indices where random.next() % 2 == 0 { bytes[index] = 0 }
      let read = IPAddress(bytes: bytes.rawSpan)
      let address = try #require(read)
      #expect(address.bytes == bytes)
      #expect(address.isIPv4 == (bytes.count == 4))
      #expect(IPAddress(address.description) == address)
      #expect(systemBytes(address.description) == bytes)
    }
  }

  private func systemBytes(_ text: String) -> [UInt8]? {
    var four = [UInt8](repeating: 0, count: 4)
    if unsafe inet_pton(AF_INET, text, &four) == 1 { return four }
    var sixteen = [UInt8](repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET6, text, &sixteen) == 1 { return sixteen }
    return nil
  }

  @Test(arguments: [0, 1, 3, 5, 8, 15, 17])
  func `other counts of bytes are no address`(count: Int) {
    let address = IPAddress(bytes: [UInt8](repeating: 1, count: count).rawSpan)
    #expect(address == nil)
  }

  static let kinds: [(String, String)] = [
    ("0.0.0.0", "unspecified"), ("::", "unspecified"), ("127.0.0.1", "loopback"),
    ("127.255.255.255", "loopback"),
    ("128.0.0.1", ""), ("::1", "loopback"), ("::2", ""), ("169.254.0.1", "link-local"), ("169.253.0.1", ""),
    ("fe80::1", "link-local"), ("febf::1", "link-local"), ("fec0::1", ""), ("224.0.0.251", "multicast"),
    ("239.255.255.255", "multicast"), ("240.0.0.1", ""), ("ff02::fb", "multicast"), ("10.0.0.1", "private"),
    ("11.0.0.1", ""), ("172.16.0.1", "private"), ("172.31.255.255", "private"), ("172.32.0.1", ""),
    ("172.15.0.1", ""), ("192.168.255.1", "private"), ("192.169.0.1", ""), ("100.64.0.1", "private"),
    ("100.127.255.255", "private"), ("100.128.0.1", ""), ("100.63.0.1", ""), ("fc00::1", "private"),
    ("fdff::1", "private"), ("fe00::1", ""), ("::ffff:10.0.0.1", "mapped"), ("::fffe:10.0.0.1", ""),
    ("192.0.2.1", ""), ("2001:db8::1", ""),
  ]

  @Test(arguments: kinds)
  func `ranges are told apart`(text: String, kind: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.isUnspecified == (kind == "unspecified"))
    #expect(address.isLoopback == (kind == "loopback"))
    #expect(address.isLinkLocal == (kind == "link-local"))
    #expect(address.isMulticast == (kind == "multicast"))
    #expect(address.isPrivate == (kind == "private"))
    #expect(address.isIPv4Mapped == (kind == "mapped"))
  }

  @Test func `the well-known addresses are themselves`() {
    #expect(IPAddress.ipv4Loopback.description == "127.0.0.1")
    #expect(IPAddress.ipv6Loopback.description == "::1")
    #expect(IPAddress.ipv4Any.description == "0.0.0.0")
    #expect(IPAddress.ipv6Any.description == "::")
    #expect(IPAddress.ipv4Any != IPAddress.ipv6Any)
    #expect(IPAddress.Family.ipv4.rawValue == 1 && IPAddress.Family.ipv6.rawValue == 2)
  }

  @Test func `socket addresses put IPv6 in brackets`() throws {
    #expect(SocketAddress("192.0.2.1", port: 5000)?.description == "192.0.2.1:5000")
    #expect(SocketAddress("2001:db8::1", port: 5000)?.description == "[2001:db8::1]:5000")
    #expect(SocketAddress("host", port: 5000) == nil)
    let address = try #require(SocketAddress("fe80::1", port: 1))
    var scoped = address
    scoped.scopeID = 3
    #expect(address.scopeID == 0 && scoped != address)
    #expect(Set([address, address, scoped]).count == 2)
  }
}
