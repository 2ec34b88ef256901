/// Everything that this side's answer is made of, besides the offer.
package struct SessionAnswer: Sendable {
  /// Random, to tell sessions apart; a later answer keeps the previous description's.
  package var sessionID: UInt64
  package var transport: LocalTransport
  /// What is supported; the answer has what the offer has too.
  package var features: SessionFeatures
  /// What a data-channel section is answered with; nil rejects it.
  package var data: DataSectionOffer?

  package init(
    sessionID: UInt64, transport: LocalTransport, features: SessionFeatures = SessionFeatures(),
    data: DataSectionOffer? = nil
  ) {
    self.sessionID = sessionID
    self.transport = transport
    self.features = features
    self.data = data
  }

  /// The answer: as many sections as the offer, in its order; what cannot be used has port 0.
  ///
  /// There is one transport: sections outside the offer's BUNDLE group are rejected, and of an offer without
  /// a group only the first usable section is taken.
  ///
  /// - Parameters:
  ///   - offer: the peer's description.
  ///   - previous: this side's current description, whose origin goes on.
  ///   - media: decides about an offered audio or video section, by its index; nil rejects it.
  /// - Throws: ``SDPError`` when the offer has no usable credentials or fingerprint, or its `a=setup` cannot
  ///   be answered.
  package func description(
    answering offer: SessionDescription, following previous: SessionDescription? = nil,
    media: (Int, MediaSection) -> MediaSectionAnswer?
  ) throws(SDPError) -> SessionDescription {
    try SectionPairing.checkMids(of: offer)
    let usable = SectionPairing.usableSections(ofOffer: offer)
    let setup = try answeringSetup(offer, usable: usable)
    let builder = SectionBuilder(transport: transport, setup: setup)
    var accepted: Set<Int> = []
    var sections: [MediaSection] = []
    for (index, section) in offer.media.enumerated() {
      var answer: MediaSection?
      if usable.contains(index) {
        answer =
          section.isDataChannel
          ? dataSection(for: section, builder: builder)
          : media(index, section).flatMap { mediaSection(for: index, of: offer, by: $0, builder: builder) }
      }
      if offer.bundle == nil, !accepted.isEmpty { answer = nil }
      if answer != nil { accepted.insert(index) }
      sections.append(answer ?? SectionBuilder.rejected(section))
    }
    if !accepted.isEmpty {
      _ = try RemoteTransport(of: offer, sections: SectionPairing.bundleOrder(accepted, of: offer))
    }
    return SessionDescription(
      origin: previous?.origin.next ?? Origin(sessionID: sessionID, version: 1),
      lines: SessionDescription.plainLines + groupLines(offer, accepted: accepted)
        + features.mirrored(from: offer).lines + [.attribute(SDPAttribute("msid-semantic", " WMS *"))],
      media: sections)
  }

  private func answeringSetup(_ offer: SessionDescription, usable: Set<Int>) throws(SDPError) -> DTLSSetup {
    guard let index = SectionPairing.bundleOrder(usable, of: offer).first else { return .active }
    let offered = offer.setup(ofSection: index) ?? .actpass
    let preferred: DTLSSetup = transport.setup == .passive ? .passive : .active
    switch offered {
    case .actpass: return preferred
    case .active: return .passive
    case .passive: return .active
    case .holdconn:
      throw .dtlsRoleConflict(
        offer: offered, answer: preferred, line: offer.lineNumber(ofSection: index))
    }
  }

  private func groupLines(_ offer: SessionDescription, accepted: Set<Int>) -> [SDPLine] {
    guard let bundle = offer.bundle else { return [] }
    let mids = Set(accepted.compactMap { offer.media[$0].mid })
    let group = MediaGroup(semantics: "BUNDLE", mids: bundle.filter { mids.contains($0) })
    return group.mids.isEmpty ? [] : [.attribute(SDPAttribute("group", group.value))]
  }

  private func dataSection(for section: MediaSection, builder: SectionBuilder) -> MediaSection? {
    guard var content = data else { return nil }
    content.mid = section.mid ?? ""
    if section.sctpInit == nil { content.sctpInit = nil }
    return builder.data(content, transportProtocol: section.transportProtocol)
  }

  private func mediaSection(
    for index: Int, of offer: SessionDescription, by answer: MediaSectionAnswer, builder: SectionBuilder
  ) -> MediaSection? {
    let section = offer.media[index]
    let codecs = CodecNegotiation.answer(
      to: section.codecs, with: answer.codecs, prefersOwnOrder: answer.prefersOwnOrder)
    guard codecs.contains(where: \.isPrimary) else { return nil }
    let allowsTwoByte = offer.isExtmapAllowMixed || section.isExtmapAllowMixed
    return builder.media(
      MediaSectionContent(
        mid: section.mid, kind: section.kind, transportProtocol: section.transportProtocol,
        direction: offer.direction(ofSection: index).reversed.intersection(answer.direction), codecs: codecs,
        headerExtensions: HeaderExtensionNegotiation.answer(
          to: offer.headerExtensions(ofSection: index), supporting: answer.headerExtensions,
          allowsTwoByteHeaders: allowsTwoByte && features.extmapAllowMixed),
        stream: answer.stream, hasReducedSizeRTCP: section.hasReducedSizeRTCP))
  }
}
