import Foundation
import SCTP
import WireFormat

/// One association with the echoing peer: messages of all sizes, ordered and not, close, reuse and restart.
struct InteropCase {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let peer: String
  /// What the peer does: `listen` or `connect`.
  let role: String
  let offersInterleaving: Bool

  func run() throws {
    let endpoint = try UDPEndpoint()
    let peerPort = try UDPEndpoint.freePort()
    let process = Process()
    process.executableURL = URL(filePath: peer)
    process.arguments = [role, String(peerPort), String(endpoint.port)]
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }
    endpoint.connect(to: peerPort)
    Thread.sleep(forTimeInterval: 0.3)
    try session(endpoint, isActive: role == "listen")
    // The same ports, without a word of goodbye: a restart for the peer.
    if role == "listen" { try session(endpoint, isActive: true) }
  }

  private func session(_ endpoint: UDPEndpoint, isActive: Bool) throws {
    var configuration = SCTPConfiguration()
    configuration.offersInterleaving = offersInterleaving
    configuration.offersZeroChecksum = false
    configuration.localMaxMessageSize = 2 * 1024 * 1024
    let transport = DataChannelTransport(configuration: configuration, random: .system)
    let start = MonotonicClock.now()
    transport.start(isDTLSClient: true, remoteMaxMessageSize: 0, remoteInit: nil, at: start)
    let driver = Driver(transport: transport, endpoint: endpoint)
    var ordered = DataChannelOptions()
    ordered.negotiatedID = 0
    var unordered = DataChannelOptions()
    unordered.negotiatedID = 1
    unordered.isOrdered = false
    let first = try transport.open(label: "", options: ordered, at: start)
    let second = try transport.open(label: "", options: unordered, at: start)
    try driver.run("open") { $0.opened.count == 2 }
    for channel in [first, second] {
      for size in [1, 100, 1100, 1200, 16_384, 65_536, 262_144, 1_048_576] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) }
        driver.messages = []
        for _ in 0..<3 { try transport.send(bytes, isText: false, on: channel, at: MonotonicClock.now()) }
        try driver.run("echo of \(size) bytes") { $0.messages.count == 3 }
        guard driver.messages.allSatisfy({ $0 == bytes }) else {
          throw Failure(description: "\(size) bytes came back changed")
        }
      }
    }
    transport.close(channel: first, at: MonotonicClock.now())
    try driver.run("close") { $0.closed.contains(first) }
    let again = try transport.open(label: "", options: ordered, at: MonotonicClock.now())
    driver.messages = []
    try transport.send([7], isText: true, on: again, at: MonotonicClock.now())
    try driver.run("echo on the reopened stream") { $0.messages == [[7]] }
  }
}

/// Runs a transport on a UDP socket.
final class Driver {
  let transport: DataChannelTransport
  let endpoint: UDPEndpoint
  var opened: [DataChannelID] = []
  var messages: [[UInt8]] = []
  var closed: [DataChannelID] = []
  private var ended: AssociationCloseReason?
  private let packet = PacketBuffer()

  init(transport: DataChannelTransport, endpoint: UDPEndpoint) {
    self.transport = transport
    self.endpoint = endpoint
  }

  func run(_ what: String, seconds: Int64 = 10, until condition: (Driver) -> Bool) throws {
    let end = MonotonicClock.now() + .seconds(seconds)
    while true {
      drain()
      if condition(self) { return }
      if let ended { throw InteropCase.Failure(description: "\(what): the association ended: \(ended)") }
      let now = MonotonicClock.now()
      guard now < end else { throw InteropCase.Failure(description: "\(what): no answer") }
      let wake = min(transport.nextTimeout() ?? end, now + .milliseconds(Int64(50)))
      endpoint.wait(milliseconds: Int32(max(0, (wake - now).wholeMilliseconds)))
      while let datagram = endpoint.receive() { transport.handle(datagram.rawSpan, at: MonotonicClock.now()) }
      let later = MonotonicClock.now()
      if let timeout = transport.nextTimeout(), timeout <= later { transport.handleTimeout(at: later) }
    }
  }

  private func drain() {
    let packet = packet
    while true {
      packet.reset()
      guard transport.nextTransmit(into: packet, at: MonotonicClock.now()) else { break }
      endpoint.send(packet.bytes.copyBytes())
    }
    while let event = transport.nextEvent() {
      switch event {
      case .channelOpened(let channel): opened.append(channel.id)
      case .message(_, let bytes, _): messages.append(bytes)
      case .channelClosed(let id, _): closed.append(id)
      case .closed(let reason): ended = reason
      case .established, .bufferedAmountLow: break
      }
    }
  }
}
