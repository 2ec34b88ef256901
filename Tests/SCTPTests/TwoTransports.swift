import SCTP
import TestSupport
import WireFormat

/// Two data channel transports on one virtual clock, with a link each way between them.
final class TwoTransports {
  let a: DataChannelTransport
  let b: DataChannelTransport
  var now = Instant.origin + .seconds(Int64(1))
  var aToB: LinkEmulator<[UInt8]>
  var bToA: LinkEmulator<[UInt8]>
  var aEvents: [DataChannelEvent] = []
  var bEvents: [DataChannelEvent] = []
  /// Called for each event as it comes, with true for `a`'s.
  var onEvent: ((TwoTransports, Bool, DataChannelEvent) -> Void)?
  /// Sees each packet before the link; false drops it.
  var filter: ((Bool, [UInt8]) -> Bool)?
  var keepsEvents = true
  private let buffer = PacketBuffer()

  init(
    _ conditions: LinkEmulator<[UInt8]>.Conditions = .init(), seed: UInt64 = 1,
    a configurationA: SCTPConfiguration = SCTPConfiguration(),
    b configurationB: SCTPConfiguration = SCTPConfiguration()
  ) {
    a = DataChannelTransport(configuration: configurationA, random: RandomSource(seed: seed &* 2 &+ 11))
    b = DataChannelTransport(configuration: configurationB, random: RandomSource(seed: seed &* 3 &+ 17))
    aToB = LinkEmulator(conditions, seed: seed &* 5 &+ 1)
    bToA = LinkEmulator(conditions, seed: seed &* 7 &+ 2)
  }

  /// Starts both ends; `a` is the DTLS client.
  func start(snap: Bool = false, limitOfA: UInt64? = 262_144, limitOfB: UInt64? = 262_144) {
    let initOfA = a.localInit
    let initOfB = b.localInit
    a.start(
      isDTLSClient: true, remoteMaxMessageSize: limitOfB, remoteInit: snap ? initOfB : nil, at: now)
    b.start(
      isDTLSClient: false, remoteMaxMessageSize: limitOfA, remoteInit: snap ? initOfA : nil, at: now)
    drain()
  }

  func drain() {
    var progressed = true
    while progressed {
      progressed = false
      while transmit(a, fromA: true) { progressed = true }
      while transmit(b, fromA: false) { progressed = true }
      while let event = a.nextEvent() {
        if keepsEvents { aEvents.append(event) }
        onEvent?(self, true, event)
        progressed = true
      }
      while let event = b.nextEvent() {
        if keepsEvents { bEvents.append(event) }
        onEvent?(self, false, event)
        progressed = true
      }
    }
  }

  private func transmit(_ transport: DataChannelTransport, fromA: Bool) -> Bool {
    buffer.reset()
    guard transport.nextTransmit(into: buffer, at: now) else { return false }
    let sent = buffer
    let packet = sent.bytes.copyBytes()
    if let filter, !filter(fromA, packet) { return true }
    if fromA {
      aToB.send(packet, bytes: packet.count + 65, at: now)
    } else {
      bToA.send(packet, bytes: packet.count + 65, at: now)
    }
    return true
  }

  /// One step: to the next arrival or timer. False when nothing waits before `end`.
  @discardableResult
  func step(until end: Instant = .distantFuture) -> Bool {
    var next: Instant? = aToB.nextArrival
    next = .earliest(next, bToA.nextArrival)
    next = .earliest(next, a.nextTimeout())
    next = .earliest(next, b.nextTimeout())
    guard let next, next <= end else {
      now = max(now, end == .distantFuture ? now : end)
      return false
    }
    now = max(now, next)
    while let packet = aToB.receive(at: now) { b.handle(packet.rawSpan, at: now) }
    while let packet = bToA.receive(at: now) { a.handle(packet.rawSpan, at: now) }
    if let timeout = a.nextTimeout(), timeout <= now { a.handleTimeout(at: now) }
    if let timeout = b.nextTimeout(), timeout <= now { b.handleTimeout(at: now) }
    drain()
    return true
  }

  func run(for interval: Interval) {
    let end = now + interval
    drain()
    while step(until: end) {}
  }

  /// Runs until `condition` holds; false when `limit` passed before.
  func run(until limit: Interval = .seconds(Int64(600)), _ condition: (TwoTransports) -> Bool) -> Bool {
    let end = now + limit
    drain()
    while !condition(self) {
      guard step(until: end) else { return condition(self) }
    }
    return true
  }

  func opened(byA: Bool, label: String) -> OpenedDataChannel? {
    for case .channelOpened(let channel) in byA ? aEvents : bEvents where channel.label == label {
      return channel
    }
    return nil
  }

  func messages(toA: Bool) -> [(bytes: [UInt8], isText: Bool)] {
    (toA ? aEvents : bEvents).compactMap { event in
      if case .message(_, let bytes, let isText) = event { (bytes, isText) } else { nil }
    }
  }

  func closed(toA: Bool) -> [DataChannelCloseReason] {
    (toA ? aEvents : bEvents).compactMap { event in
      if case .channelClosed(_, let reason) = event { reason } else { nil }
    }
  }

  func ended(toA: Bool) -> AssociationCloseReason? {
    for case .closed(let reason) in toA ? aEvents : bEvents { return reason }
    return nil
  }
}

/// Bytes that differ at each place and repeat for each seed.
func pattern(_ count: Int, seed: UInt8 = 0) -> [UInt8] {
  var value = UInt32(seed) &* 2_654_435_761 &+ 12345
  return (0..<count).map { _ in
    value = value &* 1_664_525 &+ 1_013_904_223
    return UInt8(truncatingIfNeeded: value >> 24)
  }
}

/// The chunk types in a packet, in order.
func chunkTypes(_ packet: [UInt8]) -> [UInt8] {
  var types: [UInt8] = []
  var offset = 12
  while offset + 4 <= packet.count {
    types.append(packet[offset])
    let length = Int(packet[offset + 2]) << 8 | Int(packet[offset + 3])
    offset += max(4, (length + 3) & ~3)
  }
  return types
}
