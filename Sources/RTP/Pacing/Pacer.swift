import WireFormat

/// Spreads packets over time so that bursts do not fill the path's queue: a leaky bucket with four priorities,
/// and probe trains that leave at their own rate.
///
/// Call ``next(at:)`` until it says `.wait`, then again at ``nextSendTime()``.
package struct Pacer {
  package enum Decision {
    case send(OutgoingPacket)
    /// A probe lacks packets: send about `bytes` of padding and report it by ``addPadding(bytes:at:)``, or,
    /// where none can be made, by ``abandonProbe()``.
    case pad(bytes: Int, cluster: Int)
    case wait
  }

  /// Time lost by a late timer is made up for, up to this.
  private static let catchUp = Interval.milliseconds(10)
  private static let probeLimit = 4

  package let limits: PacerLimits
  private var queues: [FIFO<OutgoingPacket>]
  private var probes: [ProbeTrain] = []
  /// Bytes sent ahead of the rate; below 0 while a late timer is made up for.
  private var debt = 0.0
  private var lastUpdate: Instant?

  /// Bits per second.
  package private(set) var rate: Int
  /// Whether padding can be made at present.
  package var canPad = false
  package private(set) var queuedBytes = 0
  package private(set) var queuedPackets = 0

  package init(rate: Int, limits: PacerLimits = PacerLimits()) {
    self.rate = max(1000, rate)
    self.limits = limits
    queues = PacketPriority.allCases.map { _ in FIFO(minimumCapacity: 64) }
    probes.reserveCapacity(Pacer.probeLimit)
  }

  package mutating func setRate(_ rate: Int, at now: Instant) {
    settle(at: now)
    self.rate = max(1000, rate)
  }

  /// A further probe; the newest is dropped when four wait.
  package mutating func add(_ probe: ProbeRequest, at now: Instant) {
    guard probes.count < Pacer.probeLimit else { return }
    probes.append(ProbeTrain(probe, at: now))
  }

  /// How long the backlog needs at the present rate.
  package var backlog: Interval { .seconds(Double(queuedBytes) * 8 / Double(rate)) }

  /// Whether a frame of `bytes` may come.
  package func hasRoom(for bytes: Int) -> Bool {
    backlog <= limits.time && queuedBytes + bytes <= limits.bytes
      && queuedPackets + bytes / 1000 + 1 <= limits.packets
  }

  /// Returns false, and does not take it, when the queue is full.
  package mutating func enqueue(_ packet: OutgoingPacket, at now: Instant) -> Bool {
    let size = packet.buffer.count
    if packet.priority != .audio {
      guard queuedBytes + size <= limits.bytes, queuedPackets < limits.packets else { return false }
    } else if queues[PacketPriority.audio.rawValue].count >= limits.packets {
      return false
    }
    settle(at: now)
    queues[packet.priority.rawValue].append(packet)
    queuedBytes += size
    queuedPackets += 1
    return true
  }

  package mutating func next(at now: Instant) -> Decision {
    settle(at: now)
    if let packet = pop(.audio) { return .send(account(packet)) }
    while let probe = probes.first, probe.isComplete || probe.isOutdated(at: now) { probes.removeFirst() }
    if let probe = probes.first {
      if let decision = nextOfProbe(probe, at: now) { return decision }
    }
    guard probes.isEmpty || !isProbing, debt <= 0, let packet = popMedia() else { return .wait }
    return .send(account(packet))
  }

  /// A packet of padding was sent for the present probe.
  package mutating func addPadding(bytes: Int, at now: Instant) {
    debt += Double(bytes)
    if !probes.isEmpty { probes[0].add(bytes: bytes, at: now) }
  }

  package mutating func abandonProbe() {
    if !probes.isEmpty { probes.removeFirst() }
  }

  /// When ``next(at:)`` will have something; a moment gone by means at once, nil: not before something is
  /// enqueued.
  package func nextSendTime() -> Instant? {
    let last = lastUpdate ?? .origin
    if queues[PacketPriority.audio.rawValue].count > 0 { return last }
    if let probe = probes.first, canPad || queuedPackets > 0 { return probe.dueTime }
    guard queuedPackets > 0 else { return nil }
    return debt <= 0 ? last : last + .seconds(debt * 8 / Double(rate)) + .nanoseconds(1)
  }

  /// Forgets what waits and all probes; the caller's pool gets the buffers.
  package mutating func removeAll(_ body: (PacketBuffer) -> Void) {
    for index in queues.indices {
      while let packet = queues[index].popFirst() { body(packet.buffer) }
    }
    probes.removeAll(keepingCapacity: true)
    queuedBytes = 0
    queuedPackets = 0
  }

  /// The same for one track's packets; the others keep their order.
  package mutating func remove(track: Int, _ body: (PacketBuffer) -> Void) {
    for index in queues.indices {
      for _ in 0..<queues[index].count {
        guard let packet = queues[index].popFirst() else { break }
        if packet.track == track {
          queuedBytes -= packet.buffer.count
          queuedPackets -= 1
          body(packet.buffer)
        } else {
          queues[index].append(packet)
        }
      }
    }
  }

  private var isProbing: Bool {
    guard !probes.isEmpty else { return false }
    return canPad || queuedPackets > 0
  }

  private mutating func nextOfProbe(_ probe: ProbeTrain, at now: Instant) -> Decision? {
    guard probe.dueTime <= now else { return isProbing ? .wait : nil }
    if var packet = popMedia() {
      packet.probeCluster = probe.request.cluster
      probes[0].add(bytes: packet.buffer.count, at: now)
      return .send(account(packet))
    }
    return canPad ? .pad(bytes: probe.paddingSize, cluster: probe.request.cluster) : .wait
  }

  private mutating func popMedia() -> OutgoingPacket? {
    pop(.retransmission) ?? pop(.video) ?? pop(.padding)
  }

  private mutating func pop(_ priority: PacketPriority) -> OutgoingPacket? {
    queues[priority.rawValue].popFirst()
  }

  private mutating func account(_ packet: OutgoingPacket) -> OutgoingPacket {
    let size = packet.buffer.count
    queuedBytes -= size
    queuedPackets -= 1
    debt += Double(size)
    return packet
  }

  private mutating func settle(at now: Instant) {
    debt = debtAt(now)
    lastUpdate = max(lastUpdate ?? now, now)
  }

  private func debtAt(_ now: Instant) -> Double {
    guard let lastUpdate else { return 0 }
    let perSecond = Double(rate) / 8
    let paid = debt - max(0, (now - lastUpdate).inSeconds) * perSecond
    // Credit only for a backlog that a late timer kept waiting, never for time in which there was nothing.
    let floor = queuedPackets > 0 ? -Pacer.catchUp.inSeconds * perSecond : 0
    return max(paid, floor)
  }
}
