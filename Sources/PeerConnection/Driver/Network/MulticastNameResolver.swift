import CSockets
import WireFormat

/// Resolves `.local` names of remote candidates by multicast DNS, on the network thread (RFC 6762,
/// draft-ietf-mmusic-mdns-ice-candidates).
///
/// It asks on every IPv4 interface, from a port of its own so that responders answer by unicast, three times
/// within five seconds. Other candidates go on meanwhile; a name that nobody knows is answered with nothing.
final class MulticastNameResolver: LoopMember {
  private static let group = IPAddress(ipv4: 0xE000_00FB)
  private static let port: UInt16 = 5353
  private static let sendTimes: [Interval] = [
    .zero, .milliseconds(500), .milliseconds(1500), .milliseconds(3000),
  ]
  private static let patience = Interval.seconds(5)
  /// Names that may be asked for at once; further ones are answered with nothing.
  private static let questionLimit = 16

  private struct Question {
    let name: String
    let message: [UInt8]
    let askedAt: Instant
    var sent = 0
    let completion: ([IPAddress]) -> Void
  }

  private let context: LoopContext
  private var sockets: [UDPSocket] = []
  private var questions: [Question] = []
  private var random = RandomSource.system

  init(context: LoopContext) {
    self.context = context
  }

  /// Calls `completion` on the loop's thread, once.
  func resolve(_ name: String, at now: Instant, completion: @escaping ([IPAddress]) -> Void) {
    guard questions.count < MulticastNameResolver.questionLimit,
      let message = MulticastDNSMessage.query(for: name)
    else {
      completion([])
      return
    }
    if sockets.isEmpty { openSockets() }
    questions.append(Question(name: name, message: message, askedAt: now, completion: completion))
    context.add(self)
  }

  /// Forgets all questions, unanswered.
  func cancel() {
    questions.removeAll()
    closeSockets()
    context.remove(self)
  }

  func ready(_ descriptor: Int32, readable: Bool, writable: Bool, failed: Bool) {
    let answered = questions
    var found: [String: [IPAddress]] = [:]
    _ = try? context.receiveBatch.receive(from: descriptor, pool: context.pool) { buffer, _, _ in
      for question in answered {
        let addresses = MulticastDNSMessage.addresses(for: question.name, in: buffer.bytes)
        if !addresses.isEmpty { found[question.name, default: []] += addresses }
      }
      context.pool.give(buffer)
    }
    finish { found[$0.name] }
  }

  func service(at now: Instant) -> Instant? {
    finish { $0.askedAt + MulticastNameResolver.patience <= now ? [] : nil }
    var next: Instant?
    for index in questions.indices {
      let question = questions[index]
      while questions[index].sent < MulticastNameResolver.sendTimes.count,
        question.askedAt + MulticastNameResolver.sendTimes[questions[index].sent] <= now
      {
        ask(question.message)
        questions[index].sent += 1
      }
      let sent = questions[index].sent
      let wait =
        sent < MulticastNameResolver.sendTimes.count
        ? MulticastNameResolver.sendTimes[sent] : MulticastNameResolver.patience
      next = Optional.earliest(next, question.askedAt + wait)
    }
    return next
  }

  private func finish(_ answer: (Question) -> [IPAddress]?) {
    var kept: [Question] = []
    var done: [(Question, [IPAddress])] = []
    for question in questions {
      if let addresses = answer(question) {
        done.append((question, addresses))
      } else {
        kept.append(question)
      }
    }
    questions = kept
    for (question, addresses) in done { question.completion(addresses) }
    if !done.isEmpty { context.serviceAgain() }
    if questions.isEmpty, !sockets.isEmpty {
      closeSockets()
      context.remove(self)
    }
  }

  private func ask(_ message: [UInt8]) {
    let destination = SocketAddress(ip: MulticastNameResolver.group, port: MulticastNameResolver.port)
    for socket in sockets {
      socket.send(
        [OutgoingDatagram(buffer: PacketBuffer(copying: message), destination: destination)],
        pool: context.pool)
    }
  }

  private func openSockets() {
    let addresses = (try? NetworkInterfaceAddress.current()) ?? []
    for address in addresses where address.ip.isIPv4 && !address.isPointToPoint {
      guard
        let socket = try? UDPSocket(address: address.ip, scopeID: 0, portRange: nil, random: &random)
      else { continue }
      _ = reactor_multicast_interface(socket.descriptor, UInt32(truncatingIfNeeded: address.ip.low))
      sockets.append(socket)
      context.watch(socket.descriptor, for: self, readable: true, writable: false)
    }
  }

  private func closeSockets() {
    for socket in sockets { context.unwatch(socket.descriptor) }
    sockets.removeAll()
  }
}
