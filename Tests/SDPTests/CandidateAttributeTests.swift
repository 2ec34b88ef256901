import SDP
import Testing

struct CandidateAttributeTests {
  static let roundTrips = [
    "candidate:1 1 udp 2122260223 192.0.2.7 50000 typ host",
    "candidate:2660250159 1 udp 2122260223 10.77.0.1 41331 typ host generation 0 ufrag 9eOc network-id 3 network-cost 50",
    "candidate:1614472891 1 tcp 1518280447 10.77.0.1 36163 typ host tcptype passive generation 0 ufrag 9eOc",
    "candidate:3 1 tcp 1518280447 10.77.0.1 9 typ host tcptype active",
    "candidate:3 1 tcp 1518280447 10.77.0.1 4000 typ host tcptype so",
    "candidate:406bab9523403da99671aec299755284 1 udp 1694498815 10.77.0.1 45683 typ srflx raddr 10.77.0.1 rport 45683",
    "candidate:4 2 udp 0 2001:db8::1 1 typ prflx raddr :: rport 9",
    "candidate:4 1 udp 41885439 198.51.100.9 61000 typ relay raddr 203.0.113.4 rport 7000 generation 0",
    "candidate:1 1 udp 2113937151 3f0c1b2a-0000-4000-8000-000000000001.local 52743 typ host",
    "candidate:1 1 ssltcp 2113939709 2001:db8::7f 443 typ host",
    "candidate:1 1 udp 4294967295 fe80::1 65535 typ newkind",
    "candidate:1 256 udp 1 host.example 0 typ host",
    "candidate: 1 udp 2113939711 2001:db8::7f 19305 typ host generation 0",
  ]

  @Test(arguments: roundTrips)
  func `is written as it was read`(text: String) throws {
    let candidate = try CandidateAttribute(parsing: text)
    #expect(candidate.description == text)
    #expect(try CandidateAttribute(parsing: "a=" + text) == candidate)
    #expect(try CandidateAttribute(parsing: text + " \r\n") == candidate)
    #expect(try CandidateAttribute(parsing: String(text.dropFirst("candidate:".count))) == candidate)
  }

  @Test func `all fields are read`() throws {
    let candidate = try CandidateAttribute(
      parsing: "candidate:f 2 UDP 7 192.0.2.1 5 typ srflx raddr 10.0.0.1 rport 6 generation 0 ufrag u")
    #expect(
      candidate
        == CandidateAttribute(
          foundation: "f", component: 2, transport: .udp, priority: 7, connectionAddress: "192.0.2.1",
          port: 5,
          kind: .serverReflexive, relatedAddress: "10.0.0.1", relatedPort: 6,
          extensions: [.init(name: "generation", value: "0"), .init(name: "ufrag", value: "u")]))
    #expect(candidate.extensionValue("ufrag") == "u")
    #expect(candidate.extensionValue("network-id") == nil)
  }

  @Test func `extension pairs are read by name in any order`() throws {
    let candidate = try CandidateAttribute(
      parsing:
        "candidate:f 1 tcp 7 192.0.2.1 5 typ relay generation 0 rport 6 tcptype passive x y raddr 10.0.0.1")
    #expect(candidate.relatedAddress == "10.0.0.1")
    #expect(candidate.relatedPort == 6)
    #expect(candidate.tcpType == .passive)
    #expect(candidate.extensions == [.init(name: "generation", value: "0"), .init(name: "x", value: "y")])
  }

  @Test func `a pair without its value costs only itself`() throws {
    let candidate = try CandidateAttribute(
      parsing: "candidate:f 1 udp 7 192.0.2.1 5 typ host generation 0 ufrag")
    #expect(candidate.extensions == [.init(name: "generation", value: "0")])
  }

  @Test func `values that are no numbers stay as text`() throws {
    let candidate = try CandidateAttribute(
      parsing: "candidate:f 1 udp 7 192.0.2.1 5 typ host rport x tcptype odd")
    #expect(candidate.relatedPort == nil && candidate.tcpType == nil)
    #expect(candidate.extensions == [.init(name: "rport", value: "x"), .init(name: "tcptype", value: "odd")])
  }

  @Test(arguments: [
    "", "candidate:", "a=candidate:", "candidate", "candidate:1", "candidate:1 1 udp 7 192.0.2.1 5",
    "candidate:1 1 udp 7 192.0.2.1 5 typ", "candidate:1 1 udp 7 192.0.2.1 5 kind host",
    "candidate:1 0 udp 7 192.0.2.1 5 typ host", "candidate:1 257 udp 7 192.0.2.1 5 typ host",
    "candidate:1 x udp 7 192.0.2.1 5 typ host", "candidate:1 1 udp -7 192.0.2.1 5 typ host",
    "candidate:1 1 udp 4294967296 192.0.2.1 5 typ host", "candidate:1 1 udp 7 192.0.2.1 65536 typ host",
    "candidate:1 1 udp 7 192.0.2.1 +5 typ host", "candidate:1 1 udp 7 5 typ host",
    "candidate:1 1 udp 7 \(String(repeating: "a", count: 256)) 5 typ host",
    "candidate:1 1 udp 7 192.0.2.1 5 typ host \(String(repeating: "a", count: 4096)) b",
  ])
  func `text that is no candidate is refused`(text: String) {
    #expect(throws: SDPError.self) { try CandidateAttribute(parsing: text) }
  }
}
