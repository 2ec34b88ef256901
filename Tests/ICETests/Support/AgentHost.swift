import ICE
import TestSupport
import WireFormat

/// An agent with its sockets in a simulated network: the driver's part, in a few lines.
final class AgentHost {
  let name: String
  let network: SimulatedNetwork
  let agent: ICEAgent
  private(set) var events: [(event: ICEEvent, at: Instant)] = []
  private(set) var received: [[UInt8]] = []
  private(set) var datagramsSent = 0
  /// Told each event as it comes.
  var onEvent: (ICEEvent) -> Void = { _ in }
  /// Streams to TURN servers; nil: they fail.
  var openStream: ((ICEStreamID, SocketAddress) -> Void)?
  var streamWrite: ((ICEStreamID, [UInt8]) -> Void)?
  private var nextPort: UInt16 = 50_000
  private(set) var bound: [SocketAddress] = []

  init(_ name: String, network: SimulatedNetwork, configuration: ICEConfiguration, seed: UInt64) {
    self.name = name
    self.network = network
    agent = ICEAgent(configuration: configuration, random: RandomSource(seed: seed))
  }

  /// Adds an interface with one address; returns what its socket is bound to.
  @discardableResult
  func addAddress(
    _ text: String, behind nat: NAT? = nil,
    conditions: LinkEmulator<SimulatedNetwork.Datagram>.Conditions = .init(),
    kind: LocalInterfaceAddress.Kind = .ethernet
  ) -> SocketAddress {
    nextPort += 1
    guard let address = SocketAddress(text, port: nextPort) else { preconditionFailure("not an address") }
    network.attach(address.ip, behind: nat, conditions: conditions) { [unowned self] datagram, now in
      receive(datagram, at: now)
    }
    bound.append(address)
    agent.addLocalAddress(
      LocalInterfaceAddress(bound: address, interfaceName: "eth\(bound.count)", kind: kind), at: network.now)
    drain()
    return address
  }

  func removeAddress(_ address: SocketAddress) {
    network.detach(address.ip)
    bound.removeAll { $0 == address }
    agent.removeLocalAddress(address, at: network.now)
    drain()
  }

  private func receive(_ datagram: SimulatedNetwork.Datagram, at now: Instant) {
    let input = agent.handle(
      datagram.payload.rawSpan, from: datagram.source, to: datagram.destination, at: now)
    if case .application(let range, _) = input { received.append(Array(datagram.payload[range])) }
    drain()
  }

  /// One call into the agent, then what it wants done.
  func act(_ body: (ICEAgent) -> Void) {
    body(agent)
    drain()
  }

  /// False: no pair carries data now.
  @discardableResult
  func send(_ payload: [UInt8]) -> Bool {
    let packet = PacketBuffer(copying: payload)
    guard let path = agent.route(packet, at: network.now) else { return false }
    transmit(packet.bytes.copyBytes(), over: path)
    drain()
    return true
  }

  func noteReceived(_ payload: [UInt8]) { received.append(payload) }

  func drain() {
    while let transmit = agent.nextTransmit() { self.transmit(transmit.payload, over: transmit.path) }
    while let event = agent.nextEvent() {
      events.append((event, network.now))
      if case .openStream(let id, let to, _) = event {
        if let openStream { openStream(id, to) } else { agent.streamFailed(id, at: network.now) }
      }
      onEvent(event)
    }
  }

  private func transmit(_ payload: [UInt8], over path: ICETransmitPath) {
    switch path {
    case .datagram(let local, let remote):
      datagramsSent += 1
      network.send(payload, from: local, to: remote)
    case .stream(let id): streamWrite?(id, payload)
    }
  }

  // MARK: What happened

  var states: [ICEConnectionState] {
    events.compactMap { if case .stateChanged(let state) = $0.event { state } else { nil } }
  }

  func time(of state: ICEConnectionState) -> Instant? {
    events.first { $0.event == .stateChanged(state) }?.at
  }

  var notes: [String] {
    events.compactMap {
      switch $0.event {
      case .note(let text), .serverUnreachable(let text): text
      default: nil
      }
    }
  }

  var candidates: [ICECandidate] {
    events.compactMap { if case .localCandidate(let candidate) = $0.event { candidate } else { nil } }
  }

  var isConnected: Bool { agent.state == .connected || agent.state == .completed }
}
