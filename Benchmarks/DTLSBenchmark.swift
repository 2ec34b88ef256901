import DTLS
import SRTP
import WireFormat

/// Handshakes and records, both ends on one core, without a network between them.
enum DTLSBenchmark {
  static func run(arguments: [String]) {
    do {
      try certificates()
      try handshakes(fresh: false)
      try handshakes(fresh: true)
      try records()
    } catch {
      print("dtls: \(error)")
    }
  }

  private static func certificates() throws {
    let cost = try median(rounds: 9, count: 200) {
      for _ in 0..<200 { _ = try DTLSCertificate.generate() }
    }
    print("certificate P-256         \(microseconds(cost)) µs")
  }

  private static func handshakes(fresh: Bool) throws {
    let one = try DTLSCertificate.generate()
    let other = try DTLSCertificate.generate()
    let pool = PacketPool()
    let cost = try median(rounds: 9, count: 200) {
      for _ in 0..<200 {
        if fresh {
          _ = try connect(try DTLSCertificate.generate(), try DTLSCertificate.generate(), pool)
        } else {
          _ = try connect(one, other, pool)
        }
      }
    }
    let label = fresh ? "handshake, fresh keys    " : "handshake, kept keys     "
    print("\(label) \(microseconds(cost)) µs both ends = \(Int(1 / cost)) a second on one core")
  }

  private static func records() throws {
    let pool = PacketPool()
    let certificate = try DTLSCertificate.generate()
    let (client, server) = try connect(certificate, certificate, pool)
    let message = [UInt8](repeating: 7, count: 1200)
    let count = 20_000
    let sealing = try median(rounds: 9, count: count) {
      for _ in 0..<count {
        try client.send(message.rawSpan, at: .origin)
        if let buffer = client.nextTransmit() { pool.give(consume buffer) }
      }
    }
    let both = try median(rounds: 9, count: count) {
      for _ in 0..<count {
        try client.send(message.rawSpan, at: .origin)
        carry(client, server, pool)
        if let buffer = server.nextReceived() { pool.give(consume buffer) }
      }
    }
    print("record 1200 B, seal       \(microseconds(sealing)) µs")
    print("record 1200 B, seal, open \(microseconds(both)) µs; buffers ever allocated: \(pool.allocations)")
  }

  private static func connect(
    _ one: DTLSCertificate, _ other: DTLSCertificate, _ pool: PacketPool
  ) throws -> (DTLSTransport, DTLSTransport) {
    let client = DTLSTransport(
      role: .client, certificate: one, remoteFingerprints: [other.fingerprint], pool: pool)
    let server = DTLSTransport(
      role: .server, certificate: other, remoteFingerprints: [one.fingerprint], pool: pool)
    server.start(at: .origin)
    client.start(at: .origin)
    for _ in 0..<3 {
      carry(client, server, pool)
      carry(server, client, pool)
    }
    guard client.isConnected, server.isConnected else { throw DTLSError.notConnected }
    return (client, server)
  }

  private static func carry(_ from: DTLSTransport, _ to: DTLSTransport, _ pool: PacketPool) {
    while let buffer = from.nextTransmit() {
      to.handle(buffer.bytes, at: .origin)
      pool.give(consume buffer)
    }
  }
}
