import STUN
import WireFormat

/// Datagrams from and to peers: permissions, Send indications and channels (RFC 8656 sections 9, 11 and 12).
extension TURNClient {
  /// Asks for a permission unless there is one or it is on its way. False: the server refused this peer.
  func permit(_ ip: IPAddress, at now: Instant) -> Bool {
    if let index = permissions.firstIndex(where: { $0.ip == ip }) {
      permissions[index].lastUsed = now
      return !permissions[index].isForbidden
    }
    if permissions.count >= context.limits.permissions {
      guard let oldest = permissions.indices.min(by: { permissions[$0].lastUsed < permissions[$1].lastUsed })
      else { return false }
      permissions.remove(at: oldest)
    }
    permissions.append(TURNPermission(ip: ip, lastUsed: now))
    request(.createPermission(ip), at: now)
    return true
  }

  /// Sends a message to a peer. A permission is asked for right before, without waiting for the answer: the
  /// server handles both in order, which saves a round trip.
  func send(_ payload: [UInt8], to peer: SocketAddress, at now: Instant) {
    guard isAllocated, permit(peer.ip, at: now) else { return }
    if let channel = channels.first(where: { $0.peer == peer && $0.boundAt != nil }) {
      var writer = ByteWriter(capacity: payload.count + 7)
      writer.write(channel.header)
      writer.write(payload)
      writer.set(UInt16(truncatingIfNeeded: payload.count), at: 2)
      if stream != nil { writer.writeZeros(-payload.count & 3) }
      transmit(writer.bytes, at: now)
    } else {
      transmit(TURNIndication.wrap(payload, template: sendTemplate(peer)), at: now)
    }
  }

  /// Adds the framing to an application datagram; nil when it has no room or there is no allocation.
  func wrap(_ packet: PacketBuffer, to peer: SocketAddress, at now: Instant) -> ICETransmitPath? {
    guard isAllocated, permit(peer.ip, at: now) else { return nil }
    do throws(WireError) {
      if let channel = channels.first(where: { $0.peer == peer && $0.boundAt != nil }) {
        let length = packet.count
        if stream != nil { try packet.appendZeros(-length & 3) }
        try packet.prepend(channel.header)
        packet.set(UInt16(truncatingIfNeeded: length), at: 2)
      } else {
        try TURNIndication.wrap(packet, template: sendTemplate(peer))
      }
    } catch {
      return nil
    }
    lastSent = now
    return path
  }

  private func sendTemplate(_ peer: SocketAddress) -> [UInt8] {
    if let template, template.peer == peer { return template.bytes }
    let bytes = TURNIndication.sendTemplate(to: peer, transactionID: context.transactionID())
    template = (peer, bytes)
    return bytes
  }

  /// This peer's pair carries data: give it a channel.
  func bindChannel(_ peer: SocketAddress, at now: Instant) {
    guard isAllocated, !channels.contains(where: { $0.peer == peer }),
      nextChannel <= ChannelData.numbers.upperBound
    else { return }
    channels.append(TURNChannel(number: nextChannel, peer: peer))
    request(.channelBind(peer, nextChannel), at: now)
    nextChannel += 1
  }

  // MARK: Input

  func handle(_ bytes: RawSpan, at now: Instant) -> Output {
    if case .closed = state { return .unclaimed }
    guard let first = bytes.byte(at: 0) else { return .ignored }
    if (0x40...0x4F).contains(first) {
      guard let (number, range) = ChannelData.parse(bytes),
        let channel = channels.first(where: { $0.number == number })
      else { return .ignored }
      return .data(peer: channel.peer, range: range)
    }
    guard STUNHeader.isPlausible(bytes) else { return .ignored }
    if let (peer, range) = TURNIndication.parseData(bytes) {
      guard permissions.contains(where: { $0.ip == peer.ip }) else { return .ignored }
      return .data(peer: peer, range: range)
    }
    guard let message = try? STUNMessage(decoding: bytes) else { return .ignored }
    return handleResponse(message, bytes: bytes, at: now)
  }

  func append(_ bytes: RawSpan) {
    framer.append(bytes)
  }

  func nextFrame() -> [UInt8]? { framer.next() }

  /// Ends a stream whose bytes are no TURN.
  func checkStream(at now: Instant) {
    guard framer.isBroken, stream != nil else { return }
    lose(retrying: true, reason: "\(uri) sends what is not TURN", at: now)
  }
}
