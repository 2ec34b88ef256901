import CBenchmarkLoops
import PeerConnection
import RTP
import WireFormat

/// Packets through the driver on loopback: its sockets alone beside C loops, then whole connections.
enum TransportBenchmark {
  private static let size = 1200
  private static let secondsPerRound = 0.2
  private static let rounds = 5

  static func run(_ report: inout Report) async throws {
    var table = Table(
      "Datagrams of \(size) B over loopback",
      ["what", "send: CPU a packet, µs", "receive: CPU a packet, µs", "packets a CPU second"])
    var figures: [(name: String, costs: [Cost])] = [
      ("sendmmsg and recvmmsg in C", []), ("UDP_SEGMENT and UDP_GRO in C", []), ("the driver's sockets", []),
    ]
    for _ in 0..<rounds {
      for offload in [false, true] {
        if let cost = bare(withOffload: offload) { figures[offload ? 1 : 0].costs.append(cost) }
      }
      figures[2].costs.append(try sockets())
    }
    for figure in figures { add(figure.name, figure.costs, to: &table) }
    for _ in 0..<3 { add("whole connections: RTP, SRTP, ICE", [try await DriverPair.cost()], to: &table) }
    table.note("medians of \(rounds) rounds in turn, one thread; connections: a thread an end, three runs")
    report.add(table)
  }

  /// Processor seconds a packet.
  struct Cost {
    var send: Double
    var receive: Double
  }

  private static func add(_ name: String, _ costs: [Cost], to table: inout Table) {
    guard !costs.isEmpty else { return }
    let send = costs.map(\.send).percentile(50)
    let receive = costs.map(\.receive).percentile(50)
    table.add(.text(name), .number(send * 1e6), .number(receive * 1e6), .number(1 / (send + receive)))
  }

  private static func bare(withOffload: Bool) -> Cost? {
    var result = reactor_udp_result()
    guard reactor_udp_run(withOffload ? 1 : 0, size, secondsPerRound, &result) == 0, result.received > 0
    else {
      return nil
    }
    return Cost(
      send: result.send_seconds / Double(result.sent),
      receive: result.receive_seconds / Double(result.received))
  }

  /// The same with the driver's sockets: batches of 64, sent and then read by one thread.
  private static func sockets() throws -> Cost {
    var random = RandomSource.system
    let from = try UDPSocket(address: .ipv4Loopback, scopeID: 0, portRange: nil, random: &random)
    let to = try UDPSocket(address: .ipv4Loopback, scopeID: 0, portRange: nil, random: &random)
    guard let batch = ReceiveBatch(capacity: 32) else { throw BareCodecFailure() }
    to.glueArrivals()
    let pool = PacketPool()
    var cost = Cost(send: 0, receive: 0)
    var sent = 0
    var received = 0
    while cost.send + cost.receive < secondsPerRound {
      let packets = try (0..<64).map { _ -> OutgoingDatagram in
        let buffer = pool.take()
        try buffer.appendZeros(size)
        return OutgoingDatagram(buffer: buffer, destination: to.localAddress)
      }
      let start = threadSeconds()
      from.send(packets[...], pool: pool)
      let middle = threadSeconds()
      while try batch.receive(
        from: to.descriptor, pool: pool,
        { buffer, _, _ in
          received += 1
          pool.give(buffer)
        })
      {}
      cost.send += middle - start
      cost.receive += threadSeconds() - middle
      sent += packets.count
    }
    return Cost(send: cost.send / Double(sent), receive: cost.receive / Double(received))
  }
}
