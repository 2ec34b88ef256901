import CSockets
import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A non-blocking UDP socket of one local address. Belongs to its loop's thread; closes when released.
package final class UDPSocket {
  /// 1 MiB holds a quarter of a second at 30 Mbit/s: a loop that is late for a moment loses nothing.
  static let kernelBufferBytes: Int32 = 1 << 20
  /// Datagrams kept while the kernel's buffer is full; beyond it the newest is dropped, as a router would.
  static let backlogLimit = 256
  /// The kernel's own limits for one UDP_SEGMENT call.
  static let segmentLimit = 64
  static let segmentByteLimit = 65_000

  package let descriptor: Int32
  package let localAddress: SocketAddress
  private(set) var statistics = Statistics()
  private var usesSegmentation: Bool
  private var backlog: [(buffer: PacketBuffer, destination: SocketAddress)] = []
  private var parts: [reactor_send_part] = []
  private var queued: [OutgoingDatagram] = []
  private var isGlueing = false

  struct Statistics {
    var datagramsSent = 0
    var systemCalls = 0
    var dropped = 0
    var lastError: SocketError?
  }

  /// Binds to `address`; with a `portRange`, to the first free port of it, starting at a place that
  /// `random` picks.
  package init(
    address: IPAddress, scopeID: UInt32, portRange: ClosedRange<UInt16>?, random: inout RandomSource
  ) throws(SocketError) {
    var bound = reactor_address()
    var result: Int32 = -EADDRINUSE
    if let portRange {
      let start = Int(random.uint16()) % portRange.count
      for step in 0..<portRange.count {
        let port = portRange.lowerBound + UInt16((start + step) % portRange.count)
        var local = SocketAddress(ip: address, port: port, scopeID: scopeID).cAddress
        result = reactor_udp_open(&local, UDPSocket.kernelBufferBytes, &bound)
        if result != -EADDRINUSE { break }
      }
    } else {
      var local = SocketAddress(ip: address, port: 0, scopeID: scopeID).cAddress
      result = reactor_udp_open(&local, UDPSocket.kernelBufferBytes, &bound)
    }
    descriptor = try SocketError.check(result, "open UDP socket on \(address)")
    localAddress = SocketAddress(bound)
    usesSegmentation = reactor_udp_supports_segmentation(descriptor) != 0
    parts.reserveCapacity(UDPSocket.segmentLimit)
  }

  deinit {
    close(descriptor)
  }

  /// Whether datagrams wait for room in the kernel's buffer: the loop then watches for it.
  var isBacklogged: Bool { !backlog.isEmpty }

  /// A read brought as much as fits: from now on the kernel may glue datagrams together (UDP_GRO). Not from the start:
  /// the first such socket of a machine has the kernel rewrite its own code, which takes longer than a handshake's round
  /// trip, and datagrams that are glued share one time of arrival, which the peer's bandwidth estimate lives on.
  package func glueArrivals() {
    guard !isGlueing else { return }
    isGlueing = true
    reactor_udp_receive_glued(descriptor)
  }

  /// Keeps a datagram for the next ``sendQueued(pool:)``. Returns whether it is the first.
  func queue(_ datagram: OutgoingDatagram) -> Bool {
    queued.append(datagram)
    return queued.count == 1
  }

  func sendQueued(pool: PacketPool) {
    var packets: [OutgoingDatagram] = []
    swap(&packets, &queued)
    send(packets[...], pool: pool)
    packets.removeAll(keepingCapacity: true)
    queued = packets
  }

  /// Sends `packets`, all meant for this socket, in order, with as few system calls as the kernel allows.
  /// What cannot be sent now waits in the backlog; what cannot be sent at all is counted.
  package func send(_ packets: ArraySlice<OutgoingDatagram>, pool: PacketPool) {
    if isBacklogged {
      for packet in packets { keep(packet.buffer, packet.destination, pool: pool) }
      return
    }
    var rest = packets
    while let first = rest.first {
      let run = usesSegmentation ? segmentRun(rest) : 1
      let result = run > 1 ? sendSegments(rest.prefix(run)) : sendOne(first.buffer, first.destination)
      if result == -EAGAIN || result == -EWOULDBLOCK || result == -ENOBUFS {
        for packet in rest { keep(packet.buffer, packet.destination, pool: pool) }
        return
      }
      if run > 1, result == -EIO || result == -EINVAL || result == -EOPNOTSUPP || result == -EMSGSIZE {
        // The device cannot segment after all: once and for all plain sends.
        usesSegmentation = false
        continue
      }
      account(result, count: run)
      for packet in rest.prefix(run) { pool.give(packet.buffer) }
      rest = rest.dropFirst(run)
    }
  }

  /// The kernel has room again.
  func flush(pool: PacketPool) {
    var sent = 0
    for (buffer, destination) in backlog {
      let result = sendOne(buffer, destination)
      if result == -EAGAIN || result == -EWOULDBLOCK || result == -ENOBUFS { break }
      account(result, count: 1)
      sent += 1
    }
    backlog.removeFirst(sent)
  }

  private func keep(_ buffer: PacketBuffer, _ destination: SocketAddress, pool: PacketPool) {
    guard backlog.count < UDPSocket.backlogLimit else {
      statistics.dropped += 1
      pool.give(buffer)
      return
    }
    backlog.append((buffer, destination))
  }

  /// How many of the first packets go to one address with one length (the last may be shorter).
  private func segmentRun(_ packets: ArraySlice<OutgoingDatagram>) -> Int {
    guard let first = packets.first else { return 0 }
    let size = first.buffer.count
    var total = 0
    var run = 0
    for packet in packets.prefix(UDPSocket.segmentLimit) {
      let length = packet.buffer.count
      guard packet.destination == first.destination, length <= size, length > 0 else { break }
      total += length
      guard total <= UDPSocket.segmentByteLimit else { break }
      run += 1
      if length < size { break }
    }
    return max(1, run)
  }

  private func sendSegments(_ packets: ArraySlice<OutgoingDatagram>) -> Int32 {
    guard let first = packets.first else { return 0 }
    parts.removeAll(keepingCapacity: true)
    for packet in packets {
      // The buffers outlive the call: `packets` holds them.
      packet.buffer.withUnsafeMutableBytes { (room, count) -> Int in
        parts.append(reactor_send_part(bytes: room.baseAddress, length: count))
        return count
      }
    }
    var destination = first.destination.cAddress
    statistics.systemCalls += 1
    return reactor_send_segments(descriptor, parts, Int32(parts.count), &destination)
  }

  private func sendOne(_ buffer: PacketBuffer, _ address: SocketAddress) -> Int32 {
    var destination = address.cAddress
    statistics.systemCalls += 1
    return buffer.bytes.withUnsafeBytes { bytes in
      reactor_send(descriptor, bytes.baseAddress, bytes.count, &destination)
    }
  }

  /// EPERM, ENETUNREACH, ICMP refusals and the like cost the datagram, never the socket: ICE finds out.
  private func account(_ result: Int32, count: Int) {
    if result == 0 {
      statistics.datagramsSent += count
    } else {
      statistics.dropped += count
      statistics.lastError = SocketError(operation: "sendmsg", code: -result)
    }
  }
}

/// A datagram on its way to a socket.
package struct OutgoingDatagram {
  let buffer: PacketBuffer
  let destination: SocketAddress

  package init(buffer: PacketBuffer, destination: SocketAddress) {
    self.buffer = buffer
    self.destination = destination
  }
}
