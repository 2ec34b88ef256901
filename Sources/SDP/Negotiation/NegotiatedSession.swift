/// What an offer and its answer agreed on: everything that a connection is built or changed from.
///
/// A pure function of the two descriptions. After a renegotiation make a new one and compare: changed
/// `remote.credentials` mean an ICE restart, changed `remote.fingerprints` a new DTLS association.
package struct NegotiatedSession: Hashable, Sendable {
  package var role: NegotiationRole
  package var localCredentials: IceCredentials
  /// The peer's end of the transport that all accepted sections share.
  package var remote: RemoteTransport
  package var dtlsRole: DTLSRole
  /// One for each `m=` line, in order, rejected ones included.
  package var sections: [NegotiatedSection]
  /// Both sides write and strip frame-metadata trailers.
  package var frameMetadata: Bool
  /// Data-channel messages are cut into fragments, both ways.
  package var chunking: NegotiatedChunking?
  /// Whether one- and two-byte header extensions may alternate.
  package var extmapAllowMixed: Bool

  /// - Parameters:
  ///   - local: this side's description.
  ///   - remote: the peer's.
  ///   - role: which of them is the offer.
  /// - Throws: ``SDPError``, whose line numbers are those of the peer's description.
  package init(
    local: SessionDescription, remote: SessionDescription, role: NegotiationRole
  ) throws(SDPError) {
    let (offer, answer) = role == .offerer ? (local, remote) : (remote, local)
    guard offer.media.count == answer.media.count else {
      throw .sectionCountMismatch(offer: offer.media.count, answer: answer.media.count)
    }
    try SectionPairing.checkMids(of: local)
    try SectionPairing.checkMids(of: remote)
    try NegotiatedSession.checkCorrespondence(local: local, remote: remote)
    let accepted = Set(
      offer.media.indices.filter { index in
        let offered = offer.media[index]
        return !answer.media[index].isRejected && (!offered.isRejected || offered.isBundleOnly)
      })
    let order = SectionPairing.bundleOrder(accepted, of: answer)
    guard let tagged = order.first else { throw .nothingAccepted }
    try NegotiatedSession.checkBundle(offer: offer, answer: answer, remote: remote, accepted: accepted)
    try NegotiatedSession.checkRTCPMux(remote, accepted: order)

    self.role = role
    self.remote = try RemoteTransport(of: remote, sections: order)
    localCredentials = try RemoteTransport(of: local, sections: order).credentials
    dtlsRole = try NegotiatedSession.dtlsRole(
      offer: offer, answer: answer, order: order, role: role, line: remote.lineNumber(ofSection: tagged))
    sections = offer.media.indices.map { index in
      NegotiatedSession.section(
        index, local: local, remote: remote, role: role, isAccepted: accepted.contains(index))
    }
    frameMetadata = local.declaresFrameMetadata && remote.declaresFrameMetadata
    if let own = local.dataChannelChunking, let theirs = remote.dataChannelChunking {
      chunking = NegotiatedChunking(
        maxSendMessageSize: Int(clamping: theirs.maxMessageSize),
        maxReceiveMessageSize: Int(clamping: own.maxMessageSize))
    }
    extmapAllowMixed = local.isExtmapAllowMixed && remote.isExtmapAllowMixed
  }

  package func section(mid: String) -> NegotiatedSection? {
    sections.first { $0.mid == mid }
  }

  /// The accepted data-channel section.
  package var dataSection: NegotiatedSection? {
    sections.first { $0.sctp != nil }
  }

  // MARK: Checks

  private static func checkCorrespondence(
    local: SessionDescription, remote: SessionDescription
  ) throws(SDPError) {
    for (index, (own, theirs)) in zip(local.media, remote.media).enumerated() {
      let line = remote.lineNumber(ofSection: index)
      guard own.kind == theirs.kind else {
        throw .sectionMismatch(section: index, line: line, expected: "m=\(own.kind)")
      }
      if let mid = own.mid, let other = theirs.mid, mid != other {
        throw .sectionMismatch(section: index, line: line, expected: "a=mid:\(mid)")
      }
    }
  }

  private static func checkBundle(
    offer: SessionDescription, answer: SessionDescription, remote: SessionDescription, accepted: Set<Int>
  ) throws(SDPError) {
    guard accepted.count > 1 else { return }
    let bundle = Set(offer.bundle ?? []).intersection(answer.bundle ?? [])
    for index in accepted.sorted() {
      // A section of the answer that leaves out its mid has the offer's.
      let mid = answer.media[index].mid ?? offer.media[index].mid
      guard let mid, bundle.contains(mid) else {
        throw .notBundled(section: index, line: remote.lineNumber(ofSection: index))
      }
    }
  }

  // Some servers write rtcp-mux into the first bundled section only; one is enough for all.
  private static func checkRTCPMux(_ remote: SessionDescription, accepted: [Int]) throws(SDPError) {
    let media = accepted.filter { remote.media[$0].isSecureRTP }
    guard let first = media.first, !media.contains(where: { remote.media[$0].hasRTCPMux }) else { return }
    throw .missingAttribute(name: "rtcp-mux", section: first, line: remote.lineNumber(ofSection: first))
  }

  private static func dtlsRole(
    offer: SessionDescription, answer: SessionDescription, order: [Int], role: NegotiationRole, line: Int
  ) throws(SDPError) -> DTLSRole {
    func setup(_ description: SessionDescription) -> DTLSSetup? {
      for index in order {
        if let found = description.setup(ofSection: index) { return found }
      }
      return nil
    }
    let (offered, answered) = (setup(offer), setup(answer))
    guard let offerer = DTLSRole.ofOfferer(offer: offered, answer: answered) else {
      throw .dtlsRoleConflict(offer: offered ?? .actpass, answer: answered ?? .active, line: line)
    }
    return role == .offerer ? offerer : offerer.opposite
  }

  // MARK: One section

  private static func section(
    _ index: Int, local: SessionDescription, remote: SessionDescription, role: NegotiationRole,
    isAccepted: Bool
  ) -> NegotiatedSection {
    let own = local.media[index]
    let theirs = remote.media[index]
    var result = NegotiatedSection.notAccepted(
      index: index, mid: own.mid ?? theirs.mid ?? "", kind: own.kind)
    guard isAccepted else { return result }
    if own.isDataChannel, theirs.isDataChannel {
      result.isAccepted = true
      result.sctp = NegotiatedSCTP(local: own, remote: theirs)
      return result
    }
    let codecs = CodecNegotiation.common(local: own.codecs, remote: theirs.codecs, order: role)
    result.codecs = codecs.filter(\.isPrimary)
    guard own.isSecureRTP, theirs.isSecureRTP, !result.codecs.isEmpty else { return result }
    result.isAccepted = true
    if role == .offerer {
      let agreed = Set(codecs.map(\.receivePayloadType))
      result.unansweredCodecs = own.codecs.filter { $0.isPrimary && !agreed.contains($0.payloadType) }
    }
    result.red = codecs.first { $0.isNamed("red") }
    result.direction = local.direction(ofSection: index)
      .intersection(remote.direction(ofSection: index).reversed)
    result.headerExtensions = HeaderExtensionNegotiation.common(
      local: local.headerExtensions(ofSection: index), remote: remote.headerExtensions(ofSection: index),
      direction: result.direction)
    if result.direction.receives {
      result.remoteStreams = theirs.streams
      result.remoteMSIDs = theirs.msids
    }
    result.hasReducedSizeRTCP = own.hasReducedSizeRTCP && theirs.hasReducedSizeRTCP
    return result
  }
}
