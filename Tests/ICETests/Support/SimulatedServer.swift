import STUN
import TestSupport
import WireFormat

/// A STUN and TURN server in the simulated network (RFC 8489, RFC 8656), with the vices that real ones have.
final class SimulatedServer {
  private struct Client: Hashable {
    let address: SocketAddress
    let stream: Int?
  }

  private final class Allocation {
    let relayed: SocketAddress
    var expires: Instant
    var permissions: [IPAddress: Instant] = [:]
    var channels: [UInt16: SocketAddress] = [:]

    init(relayed: SocketAddress, expires: Instant) {
      self.relayed = relayed
      self.expires = expires
    }
  }

  // It is what holds this server, through its closure.
  unowned let network: SimulatedNetwork
  let address: SocketAddress
  let username = "user"
  let password = "secret"
  let realm = "example.org"
  /// Says nothing at all.
  var isDead = false
  /// Each nonce is good for one request.
  var expiresNonces = false
  var maximumLifetime: UInt32 = 600
  /// Answers Allocate by sending clients elsewhere.
  var alternate: SocketAddress?
  var forbidden: Set<IPAddress> = []
  /// Answers to the given method, once each, before anything else.
  var scriptedErrors: [(STUNMethod, STUNErrorCode)] = []
  var streamWrite: ((Int, [UInt8]) -> Void)?

  private(set) var requests: [STUNMethod: Int] = [:]
  private(set) var staleNonces = 0
  private(set) var channelPackets = 0
  private(set) var indications = 0
  private(set) var keepAlives = 0
  private var allocations: [Client: Allocation] = [:]
  private var nonce = 1
  private var nextPort: UInt16 = 60_000

  init(_ text: String, network: SimulatedNetwork, delayMilliseconds: Double = 0.5) {
    self.network = network
    guard let address = SocketAddress(text, port: 3478) else { preconditionFailure("not an address") }
    self.address = address
    var conditions = LinkEmulator<SimulatedNetwork.Datagram>.Conditions()
    conditions.delayMilliseconds = delayMilliseconds
    network.attach(address.ip, conditions: conditions) { [self] datagram, _ in
      guard !isDead else { return }
      if datagram.destination.port == self.address.port {
        receive(datagram.payload, from: Client(address: datagram.source, stream: nil))
      } else {
        relayIn(datagram)
      }
    }
  }

  var liveAllocations: Int { allocations.values.count { $0.expires > network.now } }

  /// Forgets all clients, as after a restart of the server.
  func forgetAllocations() { allocations = [:] }

  func receiveStream(_ frame: [UInt8], stream: Int) {
    receive(frame, from: Client(address: SocketAddress(ip: address.ip, port: 1), stream: stream))
  }

  private func reply(_ payload: [UInt8], to client: Client) {
    if let stream = client.stream {
      streamWrite?(stream, payload)
    } else {
      network.send(payload, from: address, to: client.address)
    }
  }

  private func live(_ client: Client) -> Allocation? {
    guard let allocation = allocations[client], allocation.expires > network.now else { return nil }
    return allocation
  }

  private func receive(_ bytes: [UInt8], from client: Client) {
    if let (number, range) = ChannelData.parse(bytes.rawSpan) {
      guard let allocation = live(client), let peer = allocation.channels[number] else { return }
      channelPackets += 1
      relayOut(Array(bytes[range]), allocation, to: peer)
      return
    }
    guard let message = try? STUNMessage(decoding: bytes.rawSpan) else { return }
    if message.messageClass == .indication {
      if message.method == .binding { keepAlives += 1 }
      guard message.method == .send, let allocation = live(client), let peer = message.xorPeerAddress else {
        return
      }
      indications += 1
      for case .data(let payload) in message.attributes { relayOut(payload, allocation, to: peer) }
      return
    }
    guard message.messageClass == .request else { return }
    requests[message.method, default: 0] += 1
    var response = handle(message, bytes, client)
    response.attributes.append(.software("simulated"))
    let isSigned = message.method != .binding && response.messageClass == .success
    reply(response.encoded(key: isSigned ? key : nil), to: client)
  }

  private var key: STUNIntegrityKey? {
    STUNIntegrityKey(username: username, realm: realm, password: password)
  }

  private func failure(_ message: STUNMessage, _ error: STUNErrorCode, challenge: Bool = false) -> STUNMessage
  {
    var response = STUNMessage(.failure, message.method, transactionID: message.transactionID)
    response.attributes = [.errorCode(error)]
    if challenge { response.attributes += [.realm(realm), .nonce(Array("nonce\(nonce)".utf8))] }
    return response
  }

  private func handle(_ message: STUNMessage, _ bytes: [UInt8], _ client: Client) -> STUNMessage {
    if message.method == .binding {
      return success(message, [.xorMappedAddress(client.address)])
    }
    if let index = scriptedErrors.firstIndex(where: { $0.0 == message.method }) {
      return failure(message, scriptedErrors.remove(at: index).1)
    }
    guard !message.integrity.isEmpty else {
      return failure(message, STUNErrorCode(401, "Unauthorized"), challenge: true)
    }
    guard let given = message.nonce, given == Array("nonce\(nonce)".utf8) else {
      staleNonces += 1
      return failure(message, STUNErrorCode(438, "Stale Nonce"), challenge: true)
    }
    if expiresNonces { nonce += 1 }
    guard message.username == username, let key, message.isAuthentic(bytes.rawSpan, key: key) else {
      return failure(message, STUNErrorCode(401, "Unauthorized"), challenge: true)
    }
    return authorised(message, client)
  }

  private func success(_ message: STUNMessage, _ attributes: [STUNAttribute]) -> STUNMessage {
    STUNMessage(.success, message.method, transactionID: message.transactionID, attributes: attributes)
  }

  private func authorised(_ message: STUNMessage, _ client: Client) -> STUNMessage {
    let now = network.now
    if message.method == .allocate {
      if let alternate {
        var response = failure(message, STUNErrorCode(300, "Try Alternate"))
        response.attributes.append(.alternateServer(alternate))
        return response
      }
      guard live(client) == nil else { return failure(message, STUNErrorCode(437, "Mismatch")) }
      nextPort += 1
      let relayed = SocketAddress(ip: address.ip, port: nextPort)
      allocations[client] = Allocation(
        relayed: relayed, expires: now + .seconds(Int64(maximumLifetime)))
      return success(
        message,
        [.xorRelayedAddress(relayed), .lifetime(maximumLifetime), .xorMappedAddress(client.address)])
    }
    guard let allocation = live(client) else { return failure(message, STUNErrorCode(437, "Mismatch")) }
    switch message.method {
    case .refresh:
      let granted = min(message.lifetime ?? maximumLifetime, maximumLifetime)
      allocation.expires = now + .seconds(Int64(granted))
      if granted == 0 { allocations[client] = nil }
      return success(message, [.lifetime(granted)])
    case .createPermission:
      guard let peer = message.xorPeerAddress, !forbidden.contains(peer.ip) else {
        return failure(message, STUNErrorCode(403, "Forbidden"))
      }
      allocation.permissions[peer.ip] = now + .seconds(300)
      return success(message, [])
    case .channelBind:
      guard let peer = message.xorPeerAddress, let number = message.channelNumber else {
        return failure(message, .badRequest)
      }
      allocation.permissions[peer.ip] = now + .seconds(300)
      allocation.channels[number] = peer
      return success(message, [])
    default: return failure(message, .badRequest)
    }
  }

  private func relayOut(_ payload: [UInt8], _ allocation: Allocation, to peer: SocketAddress) {
    guard let until = allocation.permissions[peer.ip], until > network.now else { return }
    network.send(payload, from: allocation.relayed, to: peer)
  }

  private func relayIn(_ datagram: SimulatedNetwork.Datagram) {
    let found = allocations.first { $0.value.relayed == datagram.destination }
    guard let (client, allocation) = found, allocation.expires > network.now,
      let until = allocation.permissions[datagram.source.ip], until > network.now
    else { return }
    if let channel = allocation.channels.first(where: { $0.value == datagram.source }) {
      var header = ChannelData.headerTemplate(channel: channel.key)
      header[2] = UInt8(datagram.payload.count >> 8)
      header[3] = UInt8(datagram.payload.count & 255)
      let padding = client.stream == nil ? 0 : -datagram.payload.count & 3
      reply(header + datagram.payload + [UInt8](repeating: 0, count: padding), to: client)
      return
    }
    var message = STUNMessage(
      .indication, .data, transactionID: STUNTransactionID(high: 1, low: UInt64(nonce)))
    message.attributes = [.xorPeerAddress(datagram.source), .data(datagram.payload)]
    reply(message.encoded(), to: client)
  }
}
