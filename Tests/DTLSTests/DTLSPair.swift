import DTLS
import SRTP
import TestSupport
import WireFormat

/// A client and a server over an emulated path, on the virtual clock.
final class DTLSPair {
  final class End {
    let transport: DTLSTransport
    var events: [DTLSEvent] = []
    var messages: [[UInt8]] = []
    /// Sizes of the datagrams sent, in order.
    var datagrams: [[UInt8]] = []

    init(_ transport: DTLSTransport) {
      self.transport = transport
    }

    var connection: DTLSConnection? {
      for case .connected(let connection) in events { return connection }
      return nil
    }

    var error: DTLSError? {
      for case .failed(let error) in events { return error }
      return nil
    }

    var isClosed: Bool {
      events.contains { if case .closed = $0 { true } else { false } }
    }

    var isFinished: Bool { connection != nil || error != nil }
  }

  let client: End
  let server: End
  let pool = PacketPool()
  var toServer: LinkEmulator<[UInt8]>
  var toClient: LinkEmulator<[UInt8]>
  var now = Instant(nanoseconds: 5_000_000_000)

  init(
    clientCertificate: DTLSCertificate, serverCertificate: DTLSCertificate,
    serverFingerprints: [DTLSFingerprint]? = nil, clientFingerprints: [DTLSFingerprint]? = nil,
    clientProfiles: [SRTPProfile] = SRTPProfile.preferenceOrder,
    serverProfiles: [SRTPProfile] = SRTPProfile.preferenceOrder,
    mtu: Int = 1200, conditions: LinkEmulator<[UInt8]>.Conditions = .init(), seed: UInt64 = 1
  ) {
    client = End(
      DTLSTransport(
        role: .client, certificate: clientCertificate,
        remoteFingerprints: serverFingerprints ?? [serverCertificate.fingerprint],
        srtpProfiles: clientProfiles, mtu: mtu, pool: pool))
    server = End(
      DTLSTransport(
        role: .server, certificate: serverCertificate,
        remoteFingerprints: clientFingerprints ?? [clientCertificate.fingerprint],
        srtpProfiles: serverProfiles, mtu: mtu, pool: pool))
    toServer = LinkEmulator(conditions, seed: seed)
    toClient = LinkEmulator(conditions, seed: seed &+ 0x5EED)
  }

  func start(roundTripTime: Interval? = nil) {
    server.transport.start(at: now, roundTripTime: roundTripTime)
    client.transport.start(at: now, roundTripTime: roundTripTime)
  }

  /// Runs until `condition` holds, nothing is left to happen, or `limit` has passed.
  func run(limit: Interval = .seconds(60), until condition: (DTLSPair) -> Bool) {
    let end = now + limit
    while true {
      drain(client) { toServer.send($0, bytes: $0.count, at: now) }
      drain(server) { toClient.send($0, bytes: $0.count, at: now) }
      if condition(self) { return }
      if let datagram = toServer.receive(at: now) {
        server.transport.handle(datagram, at: now)
        continue
      }
      if let datagram = toClient.receive(at: now) {
        client.transport.handle(datagram, at: now)
        continue
      }
      let arrival = Instant?.earliest(toServer.nextArrival, toClient.nextArrival)
      let timer = Instant?.earliest(client.transport.nextTimeout(), server.transport.nextTimeout())
      guard let next = Instant?.earliest(arrival, timer), next <= end else { return }
      now = max(now, next)
      for transport in [client.transport, server.transport] {
        if let timeout = transport.nextTimeout(), timeout <= now { transport.handleTimeout(at: now) }
      }
    }
  }

  func runUntilFinished() {
    run { $0.client.isFinished && $0.server.isFinished }
  }

  /// Delivers everything that is under way.
  func settle(_ limit: Interval = .seconds(60)) {
    run(limit: limit) { _ in false }
  }

  private func drain(_ end: End, _ send: ([UInt8]) -> Void) {
    while let buffer = end.transport.nextTransmit() {
      let datagram = buffer.bytes.copyBytes()
      end.datagrams.append(datagram)
      send(datagram)
      pool.give(consume buffer)
    }
    while let buffer = end.transport.nextReceived() {
      end.messages.append(buffer.bytes.copyBytes())
      pool.give(consume buffer)
    }
    while let event = end.transport.nextEvent() {
      end.events.append(event)
    }
  }
}

/// Certificates for all tests: making one for each would be most of the time.
enum TestCertificate {
  static let client = Result { () throws(DTLSError) in try DTLSCertificate.generate() }
  static let server = Result { () throws(DTLSError) in try DTLSCertificate.generate() }
  static let stranger = Result { () throws(DTLSError) in try DTLSCertificate.generate() }
}

extension PacketBuffer {
  /// A copy of the payload.
  var array: [UInt8] { bytes.copyBytes() }
}

extension DTLSTransport {
  /// The next datagram to send, as an array.
  func nextDatagram() -> [UInt8]? { nextTransmit()?.array }

  func handle(_ datagram: [UInt8], at now: Instant) {
    handle(datagram.rawSpan, at: now)
  }

  func send(_ message: [UInt8], at now: Instant) throws(DTLSError) {
    try send(message.rawSpan, at: now)
  }
}

extension SRTPMasterKey {
  /// A copy of key and salt.
  var array: [UInt8] { keyAndSalt.bytes.copyBytes() }
}
