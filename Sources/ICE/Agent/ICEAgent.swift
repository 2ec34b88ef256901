import STUN
import WireFormat

/// A full ICE agent for one component (RFC 8445, 8838, 8421, 7675) with its STUN and TURN clients.
///
/// It owns no socket and no clock. Its driver, on one thread:
/// 1. binds a UDP socket for each of ``LocalInterfaceAddress/usable(_:allowLoopback:)``, reports each by
///    ``addLocalAddress(_:at:)`` and then calls ``gather(at:)`` once;
/// 2. hands in what arrives (``handle(_:from:to:at:)``, ``handleStream(_:from:at:application:)``) and the peer's
///    parameters and candidates, in any order;
/// 3. after each call drains ``nextTransmit()`` and ``nextEvent()`` until nil, and calls
///    ``handleTimeout(at:)`` when ``nextTimeout()`` has come;
/// 4. asks ``route(_:at:)`` where each application datagram goes.
package final class ICEAgent {
  let context: ICEContext
  var session: ICESession
  /// The generation before a restart; it carries data until the new one can, and is heard for a while longer.
  var previous: ICESession?
  private var previousEnd: Instant?
  var table = LocalCandidateTable()
  var sockets: [SocketAddress: CandidateBase] = [:]
  let gatherer: CandidateGatherer
  var resolutions = NameResolutions()
  private var early: [ICECandidate] = []
  private var reportedPair: CandidatePair?

  package private(set) var state = ICEConnectionState.new
  package internal(set) var gatheringState = ICEGatheringState.new
  /// Rides on connectivity checks, when set.
  package weak var checkExtension: (any ICECheckExtension)? {
    didSet {
      session.checkExtension = checkExtension
      previous?.checkExtension = checkExtension
    }
  }

  package init(configuration: ICEConfiguration, random: RandomSource) {
    context = ICEContext(configuration: configuration, random: random)
    gatherer = CandidateGatherer(context: context)
    session = ICESession(
      context: context, parameters: .generate(&context.random), role: configuration.role)
    gatherer.delegate = self
    prepare(session)
  }

  private func prepare(_ session: ICESession) {
    session.checkExtension = checkExtension
    session.localCandidate = { [unowned self] address, base in
      table.candidate(address: address, base: base)
    }
  }

  // MARK: Descriptions

  /// What our description says.
  package var localParameters: ICEParameters { session.credentials.local }

  /// nil before ``setRemoteParameters(_:at:)``.
  package var remoteParameters: ICEParameters? { session.credentials.remote }

  /// May change by a role conflict.
  package var role: ICERole { session.role }

  /// Sets the number that decides role conflicts; for tests of the comparison.
  package func set(tieBreaker: UInt64) { session.set(tieBreaker: tieBreaker) }

  /// All local candidates found so far, as a description lists them.
  package var localCandidates: [ICECandidate] { table.candidates.map(\.candidate) }

  /// Takes the peer's credentials. Other ones than before mean that the peer restarted: the agent does the
  /// same (then ``localParameters`` are new too), unless ``restart(at:)`` was called already.
  package func setRemoteParameters(_ parameters: ICEParameters, at now: Instant) {
    guard state != .closed else { return }
    if let known = session.credentials.remote {
      if known.ufrag == parameters.ufrag, known.password == parameters.password { return }
      restart(at: now)
    }
    session.setRemote(parameters, at: now)
    let waiting = early
    early = []
    for candidate in waiting where candidate.ufrag == parameters.ufrag { add(candidate, at: now) }
    settle(at: now)
  }

  /// Takes one of the peer's candidates, before, with or long after its parameters.
  package func addRemoteCandidate(_ candidate: ICECandidate, at now: Instant) {
    guard state != .closed else { return }
    if let ufrag = candidate.ufrag, ufrag != session.credentials.remote?.ufrag {
      // Of a generation to come (or one that is gone: then it is dropped when the next parameters come).
      if early.count < context.limits.remoteCandidates { early.append(candidate) }
      return
    }
    add(candidate, at: now)
    settle(at: now)
  }

  /// The peer has no more candidates.
  package func endOfRemoteCandidates(at now: Instant) {
    session.endOfRemoteCandidates()
    settle(at: now)
  }

  private func add(_ candidate: ICECandidate, at now: Instant) {
    // Components other than 1 cannot come with rtcp-mux; TCP is not offered by us. Both go without a word.
    guard candidate.component == 1, candidate.transport == .udp else { return }
    if let name = candidate.hostname {
      resolve(name, for: candidate, at: now)
      return
    }
    session.addRemote(candidate, localCandidates: table.candidates, at: now)
  }

  // MARK: Names

  private func resolve(_ name: String, for candidate: ICECandidate, at now: Instant) {
    let isMulticast = name.lowercased().hasSuffix(".local")
    if isMulticast, !context.configuration.resolvesMulticastNames {
      context.emit(.note("candidate \(name) is ignored: there is no multicast DNS here"))
      return
    }
    guard resolutions.count < context.limits.resolutions else {
      context.emit(.note("candidate \(name) is ignored: too many names to resolve"))
      return
    }
    let id = ICEResolutionID(number: context.nextNumber())
    let isNew = resolutions.add(
      id, name: name, candidate: candidate, deadline: now + context.timing.resolutionLimit)
    guard isNew else { return }
    context.emit(isMulticast ? .resolveMulticast(name: name, id: id) : .resolve(name: name, id: id))
  }

  /// The answer to ``ICEEvent/resolve(name:id:)`` or ``ICEEvent/resolveMulticast(name:id:)``; empty: none.
  package func resolved(_ id: ICEResolutionID, addresses: [IPAddress], at now: Instant) {
    guard state != .closed else { return }
    if let resolution = resolutions.remove(id) {
      if addresses.isEmpty {
        context.emit(.note("candidate \(resolution.name) is ignored: its name does not resolve"))
      }
      for candidate in resolution.candidates {
        for address in addresses.prefix(4) {
          var known = candidate
          known.address = address
          session.addRemote(known, localCandidates: table.candidates, at: now)
        }
      }
    } else {
      gatherer.resolved(id, addresses: addresses, at: now)
    }
    settle(at: now)
  }

  // MARK: Life

  /// New credentials and a new search, while data goes on over the pair that it has (RFC 8445 section 9).
  /// Local candidates are kept, and told again for the new description.
  package func restart(at now: Instant) {
    guard state != .closed else { return }
    if session.selected != nil {
      previous = session
      previousEnd = nil
    }
    let next = ICESession(context: context, parameters: .generate(&context.random), role: session.role)
    prepare(next)
    session = next
    resolutions = NameResolutions()
    for candidate in localCandidates { context.emit(.localCandidate(candidate)) }
    if gatheringState == .complete { context.emit(.gatheringComplete) }
    settle(at: now)
  }

  /// Gives allocations back to their servers and stops. What ``nextTransmit()`` still holds should be sent.
  package func close(at now: Instant) {
    guard state != .closed else { return }
    gatherer.close(at: now)
    transition(to: .closed)
  }

  // MARK: State

  /// After each input: nominate, choose, and tell what changed.
  func settle(at now: Instant) {
    guard state != .closed else { return }
    session.considerNomination(at: now)
    session.updateSelection(at: now)
    retirePrevious(at: now)
    let pair = carrier
    if pair !== reportedPair {
      reportedPair = pair
      context.emit(.selectedPairChanged(pair.map(describe)))
      gatherer.selected(pair, at: now)
    }
    if let pair, pair.isValid, !pair.isHealthy, case .relay(let client) = pair.base.kind {
      client.verify(at: now)
    }
    if let deadline = failureTime, now >= deadline { session.hasFailed = true }
    transition(to: currentState(at: now))
  }

  private func retirePrevious(at now: Instant) {
    guard previous != nil, session.selected != nil else {
      previousEnd = nil
      return
    }
    let end = previousEnd ?? now + context.timing.restartOverlap
    previousEnd = end
    guard end <= now else { return }
    previous = nil
    previousEnd = nil
  }

  /// The pair that carries data, of whichever generation.
  var carrier: CandidatePair? { session.selected ?? previous?.selected }

  private func currentState(at now: Instant) -> ICEConnectionState {
    if session.hasFailed { return .failed }
    if session.selected != nil {
      if session.isSilent(at: now) { return .disconnected }
      let isDone =
        session.nominated === session.selected && session.checklist.isDone && gatheringState == .complete
        && session.hasAllRemoteCandidates
      return isDone ? .completed : .connected
    }
    if let previous, previous.selected != nil {
      return previous.isSilent(at: now) ? .disconnected : .connected
    }
    if session.hasConnected { return .disconnected }
    return session.credentials.remote == nil ? .new : .checking
  }

  /// When the search counts as failed.
  var failureTime: Instant? {
    guard !session.hasFailed, session.selected == nil, session.credentials.remote != nil else { return nil }
    return session.searchingSince.map { $0 + context.timing.failedAfter }
  }

  private func transition(to next: ICEConnectionState) {
    guard next != state else { return }
    state = next
    context.emit(.stateChanged(next))
  }

  private func describe(_ pair: CandidatePair) -> ICESelectedPair {
    let path: ICETransmitPath
    switch pair.base.kind {
    case .socket: path = .datagram(local: pair.base.address, remote: pair.remoteAddress)
    case .relay(let client): path = client.path
    }
    return ICESelectedPair(
      id: pair.id, local: pair.local, remote: pair.remote, path: path, isNominated: pair.isNominated,
      roundTripTime: pair.roundTripTime)
  }

  /// The pair that carries data now.
  package var selectedPair: ICESelectedPair? { carrier.map(describe) }

  /// Smoothed, of the pair that carries data.
  package var roundTripTime: Interval? { carrier?.roundTripTime }

  // MARK: Draining

  package func nextTransmit() -> ICETransmit? { context.nextTransmit() }
  package func nextEvent() -> ICEEvent? { context.nextEvent() }

  package func nextTimeout() -> Instant? {
    guard state != .closed else { return nil }
    var next = Instant?.earliest(session.nextTimeout(), previous?.nextTimeout())
    next = .earliest(next, gatherer.nextTimeout())
    next = .earliest(next, resolutions.nextDeadline)
    next = .earliest(next, failureTime)
    next = .earliest(next, previousEnd)
    if state == .connected || state == .completed {
      next = .earliest(
        next, session.selected != nil ? session.disconnectionTime : previous?.disconnectionTime)
    }
    return next
  }

  package func handleTimeout(at now: Instant) {
    guard state != .closed else { return }
    for name in resolutions.expire(at: now) {
      context.emit(.note("candidate \(name) is ignored: its name does not resolve"))
    }
    gatherer.handleTimeout(at: now)
    previous?.handleTimeout(at: now)
    session.handleTimeout(at: now)
    settle(at: now)
  }
}
