import PeerConnection
import TestSupport
import Testing
import WireFormat

struct NetlinkTests {
  /// The datagrams of one recorded step.
  private static func datagrams(_ step: String? = nil) throws -> [[UInt8]] {
    try Fixture.text("Netlink/linux-6.18.txt").split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ")
      return step == nil || parts[0] == step ?? "" ? hex(String(parts[1])) : nil
    }
  }

  private static func messages(_ step: String? = nil) throws -> [NetlinkMessage] {
    try datagrams(step).flatMap { NetlinkMessage.parse($0.span.bytes) }
  }

  @Test func `recorded messages are read`() throws {
    let lists = try NetlinkTests.messages("lists")
    #expect(lists.filter { $0.content == .endOfList(failed: false) }.count == 3)
    #expect(lists.allSatisfy { $0.isListed })
    let loopback = NetworkPaths.Address(link: 1, ip: .ipv4Loopback)
    #expect(lists.map(\.content).contains(.address(loopback, isUsable: true, isGone: false)))

    let own = NetworkPaths.Address(link: 3, ip: try #require(IPAddress("192.0.2.7")))
    #expect(
      try NetlinkTests.messages("addr").first
        == NetlinkMessage(.address(own, isUsable: true, isGone: false)))
    #expect(
      try NetlinkTests.messages("addrdel").first
        == NetlinkMessage(.address(own, isUsable: true, isGone: true)))
    let tentative = try NetlinkTests.messages("addr6").compactMap { message -> Bool? in
      if case .address(let address, let isUsable, _) = message.content, !address.ip.isLinkLocal {
        return isUsable
      }
      return nil
    }
    #expect(tentative == [false, true])
    let route = NetworkPaths.Route(
      link: 3, isIPv6: false, destination: nil, prefix: 0, gateway: IPAddress("192.0.2.1"), table: 254,
      metric: 0)
    #expect(try NetlinkTests.messages("route") == [NetlinkMessage(.route(route, isGone: false))])
    #expect(try NetlinkTests.messages("routedel") == [NetlinkMessage(.route(route, isGone: true))])
  }

  @Test func `paths follow the recording, and what the kernel repeats is no change`() throws {
    var paths = NetworkPaths()
    func apply(_ step: String) throws -> Bool {
      var hasChanged = false
      for message in try NetlinkTests.messages(step) where paths.apply(message) { hasChanged = true }
      return hasChanged
    }
    _ = try apply("lists")
    #expect(!paths.isOnline, "loopback alone leads nowhere")
    #expect(try apply("veth") && apply("up"))
    #expect(!paths.isOnline)
    #expect(try apply("addr"))
    #expect(paths.isOnline, "a runtime on this network can be reached without a default route")
    #expect(try !apply("addr"))
    #expect(try apply("addr6"))
    #expect(try apply("route") && !apply("route") && apply("routedel"))
    #expect(paths.isOnline)
    #expect(try apply("addrdel"))
    #expect(!paths.isOnline)
    #expect(try apply("linkdel"))
    #expect(!paths.isOnline)
  }

  @Test func `a link without a carrier leads nowhere, and IPv4 routes go with the switch`() {
    let ip = IPAddress(ipv4: 0xC000_0207)
    func link(_ isSwitchedOn: Bool, _ hasCarrier: Bool) -> NetlinkMessage {
      NetlinkMessage(
        .link(
          .init(index: 4, isSwitchedOn: isSwitchedOn, hasCarrier: hasCarrier, isLoopback: false),
          isGone: false))
    }
    let route = NetlinkMessage(
      .route(
        .init(link: 4, isIPv6: false, destination: ip, prefix: 24, gateway: nil, table: 254, metric: 0),
        isGone: false))
    var paths = NetworkPaths()
    _ = paths.apply(link(true, true))
    _ = paths.apply(NetlinkMessage(.address(.init(link: 4, ip: ip), isUsable: true, isGone: false)))
    #expect(!paths.isOnline, "an address without a route")
    _ = paths.apply(route)
    #expect(paths.isOnline)
    #expect(paths.apply(link(true, false)) && !paths.isOnline)
    #expect(paths.apply(link(true, true)) && paths.isOnline)
    #expect(paths.apply(link(false, false)) && paths.apply(link(true, true)))
    #expect(!paths.isOnline)
  }

  @Test func `tables stop growing at their limits`() {
    var paths = NetworkPaths()
    var kept = 0
    for number in 0..<6000 as Range<UInt32> {
      let address = NetworkPaths.Address(link: 1, ip: IPAddress(ipv4: number))
      if paths.apply(NetlinkMessage(.address(address, isUsable: true, isGone: false))) { kept += 1 }
    }
    #expect(kept == 4096)
  }

  @Test func `cut and mutated datagrams never trap`() throws {
    var random = RandomSource(seed: 4711)
    for datagram in try NetlinkTests.datagrams() {
      for length in 0..<min(datagram.count, 200) {
        _ = NetlinkMessage.parse(datagram.span.bytes.clamped(0..<length))
      }
      for _ in 0..<400 {
        var mutant = datagram
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          mutant[Int.random(in: 0..<mutant.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        var paths = NetworkPaths()
        for message in NetlinkMessage.parse(mutant.span.bytes) { _ = paths.apply(message) }
        _ = paths.isOnline
      }
    }
  }

  @Test func `one datagram gives at most a bounded number of messages`() throws {
    let one = try #require(try NetlinkTests.datagrams("addr").first)
    let many = Array(repeatElement(one, count: 3000).joined())
    #expect(NetlinkMessage.parse(many.span.bytes).count == 1024)
  }
}
