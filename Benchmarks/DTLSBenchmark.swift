import DTLS
import SRTP
import WireFormat

/// Handshakes and records, both ends on one core, without a network between them.
enum DTLSBenchmark {
  static func run(_ report: inout Report) throws {
    var table = Table("DTLS on one core, both ends in memory", ["what", "µs", "a second"])
    func add(_ what: String, _ seconds: Double) {
      table.add(.text(what), .number(seconds * 1e6), .number(1 / seconds))
    }
    add(
      "certificate, P-256",
      try median(rounds: 9, count: 200) { for _ in 0..<200 { _ = try DTLSCertificate.generate() } })
    let pool = PacketPool()
    let one = try DTLSCertificate.generate()
    let other = try DTLSCertificate.generate()
    add(
      "handshake, both ends, kept certificates",
      try median(rounds: 9, count: 200) { for _ in 0..<200 { _ = try connect(one, other, pool) } })
    add(
      "handshake, both ends, fresh certificates",
      try median(rounds: 9, count: 200) {
        for _ in 0..<200 {
          _ = try connect(try DTLSCertificate.generate(), try DTLSCertificate.generate(), pool)
        }
      })
    let (client, server) = try connect(one, other, pool)
    let message = [UInt8](repeating: 7, count: 1200)
    let count = 20_000
    add(
      "record of 1200 B, seal",
      try median(rounds: 9, count: count) {
        for _ in 0..<count {
          try client.send(message.rawSpan, at: .origin)
          if let buffer = client.nextTransmit() { pool.give(consume buffer) }
        }
      })
    add(
      "record of 1200 B, seal and open",
      try median(rounds: 9, count: count) {
        for _ in 0..<count {
          try client.send(message.rawSpan, at: .origin)
          carry(client, server, pool)
          if let buffer = server.nextReceived() { pool.give(consume buffer) }
        }
      })
    table.note("packet buffers allocated in all: \(pool.allocations)")
    report.add(table)
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
