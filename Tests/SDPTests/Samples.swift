import SDP

/// Values that several tests build descriptions from.
enum Samples {
  static let fingerprint = Fingerprint(algorithm: "sha-256", bytes: Array(0..<32))
  static let credentials = IceCredentials(ufrag: "abcd", pwd: "abcdefghijklmnopqrstuvwx")
  static let peerCredentials = IceCredentials(ufrag: "wxyz", pwd: "zyxwvutsrqponmlkjihgfedc")
  static let candidate = CandidateAttribute(
    foundation: "1", priority: 2_122_260_223, connectionAddress: "192.0.2.7", port: 50000, kind: .host)

  static func transport(
    _ setup: DTLSSetup, credentials: IceCredentials = credentials, candidates: [CandidateAttribute] = []
  ) -> LocalTransport {
    LocalTransport(
      credentials: credentials, fingerprints: [fingerprint], setup: setup, candidates: candidates,
      hasEndOfCandidates: !candidates.isEmpty)
  }

  static let camera = MediaSectionOffer(
    mid: "0", kind: .video, direction: .sendonly, codecs: [.vp9, .vp8],
    headerExtensions: HeaderExtensionURI.video,
    stream: LocalStream(
      ssrc: 1000, retransmissionSSRC: 1001, cname: "me", msid: MediaStreamID(stream: "s", track: "camera")))
  static let microphone = MediaSectionOffer(
    mid: "1", kind: .audio, direction: .sendonly, codecs: [.opus],
    headerExtensions: HeaderExtensionURI.audio, stream: LocalStream(ssrc: 2000, cname: "me"))
  static let picture = MediaSectionOffer(
    mid: "2", kind: .video, direction: .recvonly, codecs: [.vp9, .vp8],
    headerExtensions: HeaderExtensionURI.video)
  static let sound = MediaSectionOffer(
    mid: "3", kind: .audio, direction: .recvonly, codecs: [.opus], headerExtensions: HeaderExtensionURI.audio)
  static let data = DataSectionOffer(mid: "4", sctpInit: [1, 2, 3])

  static let offer = SessionOffer(
    sessionID: 77, transport: transport(.actpass),
    features: SessionFeatures(frameMetadata: true, chunkingMaxMessageSize: 67_108_864),
    sections: [.media(camera), .media(microphone), .media(picture), .media(sound), .data(data)])

  static let answer = SessionAnswer(
    sessionID: 88, transport: transport(.active, credentials: peerCredentials),
    features: SessionFeatures(frameMetadata: true, chunkingMaxMessageSize: 1_000_000),
    data: DataSectionOffer(mid: "", maxMessageSize: 100_000, sctpInit: [9, 9]))

  /// What a peer that knows everything says about an offered section.
  static func answerSection(_ index: Int, _ section: MediaSection) -> MediaSectionAnswer? {
    let isAudio = section.kind == .audio
    return MediaSectionAnswer(
      direction: .sendrecv, codecs: isAudio ? [.opus] : [.vp8, .vp9],
      headerExtensions: isAudio ? HeaderExtensionURI.audio : HeaderExtensionURI.video,
      stream: LocalStream(
        ssrc: UInt32(5000 + index * 10), retransmissionSSRC: UInt32(5001 + index * 10), cname: "you"))
  }

  static func description(_ sections: String) throws(SDPError) -> SessionDescription {
    try SessionDescription(
      parsing: "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"
        + sections.split(separator: "\n").joined(separator: "\r\n") + "\r\n")
  }

  /// Credentials, fingerprint and role as lines of a section.
  static func transportLines(setup: String?) -> String {
    let digits = (0..<32).map { _ in "AB" }.joined(separator: ":")
    let role = setup.map { "a=setup:\($0)\n" } ?? ""
    return "a=ice-ufrag:wxyz\na=ice-pwd:zyxwvutsrqponmlkjihgfedc\na=fingerprint:sha-256 \(digits)\n\(role)"
  }
}
