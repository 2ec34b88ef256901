/// Everything that an offer is made of.
///
/// The description bundles all sections on one transport, with rtcp-mux. It repeats credentials, fingerprints
/// and candidates in every section, because runtime 2.10 gives up bundling otherwise.
package struct SessionOffer: Hashable, Sendable {
  /// Random, to tell sessions apart; a later offer keeps the previous description's.
  package var sessionID: UInt64
  package var transport: LocalTransport
  package var features: SessionFeatures
  package var sections: [SectionOffer]

  package init(
    sessionID: UInt64, transport: LocalTransport, features: SessionFeatures = SessionFeatures(),
    sections: [SectionOffer]
  ) {
    self.sessionID = sessionID
    self.transport = transport
    self.features = features
    self.sections = sections
  }

  /// The offer.
  ///
  /// - Parameter previous: this side's current description when this is not the first one. Its payload types
  ///   and header-extension numbers are kept, and its origin's version goes up. Its sections must come first,
  ///   in the same order, in ``sections``.
  package func description(following previous: SessionDescription? = nil) -> SessionDescription {
    var payloadTypes = PayloadTypeAllocator(keeping: previous)
    var extensionIDs = HeaderExtensionAllocator(keeping: previous)
    let media = sections.map { section in
      switch section {
      case .media(let offer):
        SectionBuilder(transport: transport, setup: transport.setup).media(
          MediaSectionContent(
            mid: offer.mid, kind: offer.kind, transportProtocol: "UDP/TLS/RTP/SAVPF",
            direction: offer.direction, codecs: offer.codecs.compactMap { payloadTypes.assign($0) },
            headerExtensions: offer.headerExtensions.compactMap { extensionIDs.assign($0) },
            stream: offer.stream, hasReducedSizeRTCP: true))
      case .data(let offer):
        SectionBuilder(transport: transport, setup: transport.setup).data(
          offer, transportProtocol: "UDP/DTLS/SCTP")
      case .rejected(let section): SectionBuilder.rejected(section)
      }
    }
    let bundle = MediaGroup(semantics: "BUNDLE", mids: sections.compactMap(\.mid))
    return SessionDescription(
      origin: previous?.origin.next ?? Origin(sessionID: sessionID, version: 1),
      lines: SessionDescription.plainLines + [.attribute(SDPAttribute("group", bundle.value))]
        + features.lines + [.attribute(SDPAttribute("msid-semantic", " WMS *"))],
      media: media)
  }
}
