import DTLS
import ICE
import PeerConnection
import SDP
import TestSupport
import WireFormat

/// Two connections, one thread, a virtual clock and a scripted network between them.
final class TwoPeers {
  struct Datagram {
    let bytes: [UInt8]
    let source: SocketAddress
    let destination: SocketAddress
  }

  final class Peer {
    let connection: PeerConnection
    let address: SocketAddress
    var events: [PeerConnectionEvent] = []
    var datagramsSent = 0
    /// When what first happened.
    var connectedAt: Instant?

    init(connection: PeerConnection, address: SocketAddress) {
      self.connection = connection
      self.address = address
    }
  }

  let pool = PacketPool()
  let offerer: Peer
  let answerer: Peer
  private(set) var now = Instant.origin + .seconds(1000)
  var toAnswerer: LinkEmulator<Datagram>
  var toOfferer: LinkEmulator<Datagram>
  /// Sees every event with the peer it belongs to, as it happens.
  var onEvent: ((Peer, PeerConnectionEvent) -> Void)?

  init(
    seed: UInt64 = 1, conditions: LinkEmulator<Datagram>.Conditions = .init(),
    offererConfiguration: PeerConnectionConfiguration = .init(),
    answererConfiguration: PeerConnectionConfiguration = .init()
  ) throws {
    toAnswerer = LinkEmulator(conditions, seed: seed &* 2)
    toOfferer = LinkEmulator(conditions, seed: seed &* 2 &+ 1)
    let pool = pool
    offerer = try TwoPeers.peer(.offerer, offererConfiguration, host: 1, seed: seed, pool: pool)
    answerer = try TwoPeers.peer(.answerer, answererConfiguration, host: 2, seed: seed, pool: pool)
    for one in [offerer, answerer] {
      one.connection.addLocalAddress(
        LocalInterfaceAddress(bound: one.address, interfaceName: "eth0", index: 1, kind: .ethernet), at: now)
      one.connection.gatherCandidates(servers: [], at: now)
    }
  }

  private static func peer(
    _ role: NegotiationRole, _ configuration: PeerConnectionConfiguration, host: UInt32, seed: UInt64,
    pool: PacketPool
  ) throws -> Peer {
    let connection = PeerConnection(
      configuration: configuration, role: role, certificate: try certificate(role), pool: pool,
      random: RandomSource(seed: seed &* 31 &+ UInt64(host)))
    return Peer(
      connection: connection, address: SocketAddress(ip: IPAddress(ipv4: 0x0A00_0000 + host), port: 5000))
  }

  // Made once: a certificate costs more than a whole simulated session.
  private static let certificates: [NegotiationRole: Result<DTLSCertificate, DTLSError>] = [
    .offerer: Result { () throws(DTLSError) in try DTLSCertificate.generate() },
    .answerer: Result { () throws(DTLSError) in try DTLSCertificate.generate() },
  ]

  private static func certificate(_ role: NegotiationRole) throws -> DTLSCertificate {
    guard let made = certificates[role] else { throw DTLSError.invalidCertificate }
    return try made.get()
  }

  /// Exchanges offer and answer at once; the answerer wants the mirror image of each offered section.
  @discardableResult
  func negotiate() throws -> (offer: SessionDescription, answer: SessionDescription) {
    let offer = try offerer.connection.createOffer(at: now)
    let answer = try answerer.connection.answer(offer, at: now) { _, section in
      section.direction?.reversed ?? .sendrecv
    }
    try offerer.connection.setRemoteAnswer(answer, at: now)
    return (try SessionDescription(parsing: offer), try SessionDescription(parsing: answer))
  }

  /// Runs until `condition` holds or `limit` has passed; whether it held.
  @discardableResult
  func run(for limit: Interval, until condition: () -> Bool = { false }) -> Bool {
    let end = now + limit
    while true {
      settle()
      if condition() { return true }
      var next = Optional.earliest(toAnswerer.nextArrival, toOfferer.nextArrival)
      next = Optional.earliest(next, offerer.connection.nextTimeout())
      next = Optional.earliest(next, answerer.connection.nextTimeout())
      guard let next, next <= end else {
        now = end
        settle()
        return condition()
      }
      now = max(now, next)
      while let datagram = toAnswerer.receive(at: now) { deliver(datagram, to: answerer) }
      while let datagram = toOfferer.receive(at: now) { deliver(datagram, to: offerer) }
      for peer in [offerer, answerer] {
        if let due = peer.connection.nextTimeout(), due <= now { peer.connection.handleTimeout(at: now) }
      }
    }
  }

  private func deliver(_ datagram: Datagram, to peer: Peer) {
    let buffer = pool.take()
    guard (try? buffer.append(datagram.bytes)) != nil else { return }
    peer.connection.handle(buffer, from: datagram.source, to: peer.address, at: now)
  }

  /// Drains both peers into the network and the event logs.
  func settle() {
    for peer in [offerer, answerer] {
      peer.connection.advance(at: now)
      while let event = peer.connection.nextEvent() {
        if case .stateChanged(.connected) = event, peer.connectedAt == nil { peer.connectedAt = now }
        if case .localCandidate(let text, _, _) = event {
          (peer === offerer ? answerer : offerer).connection.addRemoteCandidate(text, at: now)
        }
        peer.events.append(event)
        onEvent?(peer, event)
      }
      while let transmit = peer.connection.nextTransmit() {
        if case .datagram(_, let remote) = transmit.path {
          peer.datagramsSent += 1
          let bytes = transmit.buffer.bytes.copyBytes()
          let datagram = Datagram(bytes: bytes, source: peer.address, destination: remote)
          if peer === offerer {
            toAnswerer.send(datagram, bytes: bytes.count, at: now)
          } else {
            toOfferer.send(datagram, bytes: bytes.count, at: now)
          }
        }
        pool.give(transmit.buffer)
      }
      peer.connection.workAhead()
    }
  }

  var isConnected: Bool { offerer.connection.state == .connected && answerer.connection.state == .connected }
}
