import DTLS
import ICE
import SDP
import WireFormat

/// The offer/answer state of one connection (RFC 8829): the sections of this side, the descriptions in
/// force, and the candidates that go into them.
final class SessionNegotiator {
  /// Sections that a connection may have.
  static let sectionLimit = 64

  private enum Phase {
    case stable
    /// An offer is out; its sections are kept until the answer comes.
    case offered(SessionDescription)
  }

  private let configuration: PeerConnectionConfiguration
  let role: NegotiationRole
  private let fingerprint: Fingerprint
  private let sctpInit: [UInt8]?
  private let sessionID: UInt64
  private let cname: String
  private var random: RandomSource
  private var phase = Phase.stable
  private var local: SessionDescription?
  private var candidates: [CandidateAttribute] = []
  private var hasAllCandidates = false
  /// Whether a description of this ICE generation is out.
  private var isDescribed = false
  private var dataMid: String?
  private(set) var transceivers: [Transceiver] = []
  private(set) var session: NegotiatedSession?
  /// Whether the next offer has a data section. It stays once it was there.
  var wantsData = false

  init(
    configuration: PeerConnectionConfiguration, role: NegotiationRole, fingerprint: DTLSFingerprint,
    sctpInit: [UInt8]?, random: RandomSource
  ) {
    self.configuration = configuration
    self.role = role
    self.fingerprint = Fingerprint(algorithm: "sha-256", bytes: fingerprint.bytes)
    self.sctpInit = sctpInit
    var random = random
    // RFC 8866 section 5.2: numeric; 63 bits, so that peers which parse it as signed take it.
    sessionID = random.next() >> 1
    cname = random.iceString(16)
    self.random = random
  }

  func addTransceiver(_ kind: MediaKind, direction: MediaDirection) -> String {
    let mid = freeMid()
    transceivers.append(
      Transceiver(mid: mid, kind: kind, direction: direction, cname: cname, random: &random))
    return mid
  }

  /// A number that no section has; those of a peer's offer may be anything.
  private func freeMid() -> String {
    var used = Set((local?.media ?? []).compactMap(\.mid)).union(transceivers.map(\.mid))
    if let dataMid { used.insert(dataMid) }
    var number = transceivers.count + (dataMid == nil ? 0 : 1)
    while used.contains(String(number)) { number += 1 }
    return String(number)
  }

  func setDirection(_ direction: MediaDirection, of mid: String) {
    guard let index = transceivers.firstIndex(where: { $0.mid == mid }) else { return }
    transceivers[index].direction = direction
  }

  // MARK: Candidates

  /// Keeps a candidate for descriptions to come.
  ///
  /// - Returns: what to signal, when a description without it is already out.
  func addLocalCandidate(_ candidate: CandidateAttribute) -> (text: String, mid: String, index: Int)? {
    candidates.append(candidate)
    guard isDescribed, let first = (pendingOrLocal?.media.first) else { return nil }
    return (candidate.description, first.mid ?? "0", 0)
  }

  func gatheringComplete() {
    hasAllCandidates = true
  }

  /// A restart: what is found from now on goes into the next description.
  func forgetCandidates() {
    isDescribed = false
    candidates.removeAll()
    hasAllCandidates = false
  }

  private var pendingOrLocal: SessionDescription? {
    if case .offered(let offer) = phase { return offer }
    return local
  }

  // MARK: Offer

  func createOffer(credentials: ICEParameters) throws(PeerConnectionError) -> String {
    if wantsData, dataMid == nil { dataMid = freeMid() }
    let sections = offeredSections()
    guard !sections.isEmpty else {
      throw .invalidState(expected: "a connection needs a track or a data channel before it can be offered")
    }
    guard sections.count <= SessionNegotiator.sectionLimit else {
      throw .invalidState(expected: "a connection has at most \(SessionNegotiator.sectionLimit) sections")
    }
    let offer = SessionOffer(
      sessionID: sessionID, transport: localTransport(credentials, setup: .actpass), features: features,
      sections: sections
    ).description(following: local)
    phase = .offered(offer)
    isDescribed = true
    return offer.serialized()
  }

  /// The sections of the description in force, in its order, whoever offered them (RFC 8829 section 5.2.2);
  /// new ones behind them.
  private func offeredSections() -> [SectionOffer] {
    var sections: [SectionOffer] = []
    var unplaced = transceivers
    for section in local?.media ?? [] {
      let transceiver = unplaced.first { $0.mid == section.mid }
      unplaced.removeAll { $0.mid == section.mid }
      if section.isRejected, !section.isBundleOnly {
        sections.append(.rejected(section))
      } else if section.isDataChannel {
        sections.append(.data(dataOffer(mid: section.mid ?? "")))
      } else if let transceiver {
        sections.append(.media(mediaOffer(transceiver)))
      } else {
        sections.append(.rejected(section))
      }
    }
    sections += unplaced.map { .media(mediaOffer($0)) }
    if let dataMid, !(local?.media ?? []).contains(where: { $0.mid == dataMid }) {
      sections.append(.data(dataOffer(mid: dataMid)))
    }
    return sections
  }

  private func dataOffer(mid: String) -> DataSectionOffer {
    DataSectionOffer(mid: mid, maxMessageSize: configuration.maxMessageSize, sctpInit: sctpInit)
  }

  func setRemoteAnswer(_ text: String) throws(PeerConnectionError) -> NegotiatedSession {
    guard case .offered(let offer) = phase else {
      throw .invalidState(expected: "an answer can only follow an offer")
    }
    do {
      let answer = try SessionDescription(parsing: text)
      let session = try NegotiatedSession(local: offer, remote: answer, role: .offerer)
      settle(on: session, local: offer)
      return session
    } catch {
      throw .description(error)
    }
  }

  // MARK: Answer

  /// Whether the peer's offer restarts ICE (RFC 8839 section 4.4.1.1.1): the answer then needs new credentials.
  func restartsICE(_ offer: SessionDescription) -> Bool {
    guard let session, let offered = offer.offeredCredentials else { return false }
    return offered != session.remote.credentials
  }

  func answer(
    _ offer: SessionDescription, credentials: ICEParameters,
    direction: (Int, MediaSection) -> MediaDirection?
  ) throws(PeerConnectionError) -> (String, NegotiatedSession) {
    do {
      let answer = try SessionAnswer(
        sessionID: sessionID, transport: localTransport(credentials, setup: answeringSetup),
        features: features, data: dataOffer(mid: "")
      ).description(answering: offer, following: local) { index, section in
        guard let wanted = direction(index, section) else { return nil }
        return mediaAnswer(index, section, direction: wanted)
      }
      let session = try NegotiatedSession(local: answer, remote: offer, role: .answerer)
      settle(on: session, local: answer)
      return (answer.serialized(), session)
    } catch {
      throw .description(error)
    }
  }

  /// Who is the client stays with the DTLS association, whoever offers later (RFC 8842 section 5.5).
  private var answeringSetup: DTLSSetup { session?.dtlsRole == .server ? .passive : .active }

  private func settle(on session: NegotiatedSession, local: SessionDescription) {
    phase = .stable
    isDescribed = true
    self.local = local
    self.session = session
    if let section = session.dataSection {
      dataMid = section.mid
      wantsData = true
    }
  }

  private func mediaAnswer(
    _ index: Int, _ section: MediaSection, direction: MediaDirection
  ) -> MediaSectionAnswer? {
    guard section.kind == .audio || section.kind == .video, index < SessionNegotiator.sectionLimit else {
      return nil
    }
    let mid = section.mid ?? String(index)
    if !transceivers.contains(where: { $0.mid == mid }) {
      transceivers.append(
        Transceiver(mid: mid, kind: section.kind, direction: direction, cname: cname, random: &random))
    }
    guard let place = transceivers.firstIndex(where: { $0.mid == mid }) else { return nil }
    transceivers[place].direction = direction
    let transceiver = transceivers[place]
    return MediaSectionAnswer(
      direction: direction, codecs: codecs(section.kind), prefersOwnOrder: true,
      headerExtensions: extensions(section.kind), stream: direction.sends ? transceiver.stream : nil)
  }

  // MARK: Parts

  private func mediaOffer(_ transceiver: Transceiver) -> MediaSectionOffer {
    MediaSectionOffer(
      mid: transceiver.mid, kind: transceiver.kind, direction: transceiver.direction,
      codecs: codecs(transceiver.kind), headerExtensions: extensions(transceiver.kind),
      stream: transceiver.direction.sends ? transceiver.stream : nil)
  }

  private func codecs(_ kind: MediaKind) -> [CodecCapability] {
    guard kind == .video else { return [.opus] }
    return configuration.videoCodecs.map { codec in
      switch codec {
      case .vp8: .vp8
      case .vp9: .vp9
      }
    }
  }

  private func extensions(_ kind: MediaKind) -> [String] {
    kind == .video ? HeaderExtensionURI.video : HeaderExtensionURI.audio
  }

  private var features: SessionFeatures {
    SessionFeatures(
      frameMetadata: configuration.frameMetadata, chunkingMaxMessageSize: configuration.chunkingMaxMessageSize
    )
  }

  private func localTransport(_ credentials: ICEParameters, setup: DTLSSetup) -> LocalTransport {
    LocalTransport(
      credentials: IceCredentials(ufrag: credentials.ufrag, pwd: credentials.password),
      fingerprints: [fingerprint], setup: setup, candidates: candidates, hasEndOfCandidates: hasAllCandidates)
  }
}
