import ICE
import STUN
import TestSupport
import WireFormat

/// A peer written by hand, message by message, for what no well-behaved agent does.
final class ScriptedPeer {
  let local = SocketAddress(ip: IPAddress(ipv4: 0xC000_0201), port: 5001)
  let remote = SocketAddress(ip: IPAddress(ipv4: 0xC000_0202), port: 5002)
  let parameters = ICEParameters(ufrag: "peer", password: "peerpasswordpeerpassword")
  private(set) var agent: ICEAgent
  private(set) var requests: [STUNMessage] = []
  private(set) var responses: [STUNMessage] = []
  private(set) var events: [ICEEvent] = []
  var now = Instant.origin
  private var counter: UInt64 = 0

  init(configuration: ICEConfiguration = ICEConfiguration(role: .controlled)) {
    agent = ICEAgent(configuration: configuration, random: RandomSource(seed: 3))
  }

  /// A new agent that knows the peer's parameters and one candidate.
  func start(role: ICERole, lite: Bool = false) {
    agent = ICEAgent(configuration: ICEConfiguration(role: role), random: RandomSource(seed: 3))
    agent.addLocalAddress(LocalInterfaceAddress(bound: local, kind: .ethernet), at: now)
    agent.gather(at: now)
    var theirs = parameters
    theirs.isLite = lite
    agent.setRemoteParameters(theirs, at: now)
    agent.addRemoteCandidate(candidate(), at: now)
    drain()
  }

  /// Starts and answers the first check.
  func connect(role: ICERole) -> ICEAgent {
    start(role: role)
    if let check = requests.last { succeed(check) }
    return agent
  }

  func candidate(priority: UInt32 = 1_000_000) -> ICECandidate {
    ICECandidate(foundation: "1", priority: priority, address: remote.ip, port: remote.port, kind: .host)
  }

  func drain() {
    while let transmit = agent.nextTransmit() {
      guard let message = try? STUNMessage(decoding: transmit.payload.rawSpan) else { continue }
      if message.messageClass == .request { requests.append(message) } else { responses.append(message) }
    }
    while let event = agent.nextEvent() { events.append(event) }
  }

  var states: [ICEConnectionState] {
    events.compactMap { if case .stateChanged(let state) = $0 { state } else { nil } }
  }

  @discardableResult
  func deliver(_ bytes: [UInt8], from source: SocketAddress? = nil) -> ICEInput {
    let input = agent.handle(bytes.rawSpan, from: source ?? remote, to: local, at: now)
    drain()
    return input
  }

  func succeed(_ request: STUNMessage, mapped: SocketAddress? = nil, from source: SocketAddress? = nil) {
    let response = STUNMessage(
      .success, .binding, transactionID: request.transactionID,
      attributes: [.xorMappedAddress(mapped ?? local)])
    deliver(response.encoded(key: STUNIntegrityKey(password: parameters.password)), from: source)
  }

  func fail(_ request: STUNMessage, _ error: STUNErrorCode) {
    let response = STUNMessage(
      .failure, .binding, transactionID: request.transactionID, attributes: [.errorCode(error)])
    deliver(response.encoded(key: STUNIntegrityKey(password: parameters.password)))
  }

  /// A check of the peer's, as it should be unless told otherwise.
  func check(
    useCandidate: Bool = false, controlling: Bool = true, tieBreaker: UInt64 = 1, username: String? = nil,
    password: String? = nil, extra: [STUNAttribute] = []
  ) -> [UInt8] {
    counter += 1
    var message = STUNMessage(
      .request, .binding, transactionID: STUNTransactionID(high: 99, low: counter),
      attributes: [
        .username(username ?? "\(agent.localParameters.ufrag):\(parameters.ufrag)"), .priority(1_845_501_695),
        controlling ? .iceControlling(tieBreaker) : .iceControlled(tieBreaker),
      ])
    if useCandidate { message.attributes.append(.useCandidate) }
    message.attributes += extra
    return message.encoded(key: STUNIntegrityKey(password: password ?? agent.localParameters.password))
  }

  /// Lets time pass, timer by timer; checks are answered while `answers` says so.
  func pass(_ span: Interval, answers: (STUNMessage) -> Bool = { _ in false }) {
    let end = now + span
    while let next = agent.nextTimeout(), next <= end {
      now = max(now, next)
      let before = requests.count
      agent.handleTimeout(at: now)
      drain()
      for request in requests[before...] where answers(request) { succeed(request) }
    }
    now = end
  }
}
