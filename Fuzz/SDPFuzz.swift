// libFuzzer target for session descriptions. How to build and run it: docs/fuzzing.md.
//
// Any text may be refused; none may trap. What parses must be the same after it is written and parsed again,
// and what is derived from it (codecs, answers, negotiation) must not trap either.

import SDP

/// One input: text that may be a description or a candidate.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSDP(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self)
  _ = try? CandidateAttribute(parsing: text)
  guard let description = try? SessionDescription(parsing: text) else { return 0 }
  let written = description.serialized()
  // Empty lines and doubled blanks only ever get fewer, so what was within the limits stays within them,
  // but for the carriage returns that are added.
  if written.utf8.count <= SDPLimits.bytes {
    precondition((try? SessionDescription(parsing: written)) == description)
  }
  for index in description.media.indices {
    let section = description.media[index]
    _ = (section.codecs, section.streams, section.candidates, section.bandwidths)
    _ = (description.iceCredentials(ofSection: index), description.headerExtensions(ofSection: index))
  }
  negotiate(description)
  return 0
}

private func negotiate(_ description: SessionDescription) {
  let transport = LocalTransport(
    credentials: IceCredentials(ufrag: "abcd", pwd: "abcdefghijklmnopqrstuvwx"),
    fingerprints: [Fingerprint(algorithm: "sha-256", bytes: Array(0..<32))], setup: .active)
  let answer = SessionAnswer(
    sessionID: 1, transport: transport,
    features: SessionFeatures(frameMetadata: true, chunkingMaxMessageSize: 1 << 20),
    data: DataSectionOffer(mid: "", sctpInit: [1]))
  let local = try? answer.description(answering: description) { index, section in
    MediaSectionAnswer(
      direction: .sendrecv, codecs: section.kind == .audio ? [.opus] : [.vp9, .vp8, .av1, .h264],
      prefersOwnOrder: index % 2 == 0, headerExtensions: HeaderExtensionURI.video + HeaderExtensionURI.audio,
      stream: LocalStream(ssrc: 1, retransmissionSSRC: 2, cname: "c"))
  }
  guard let local else { return }
  precondition(local.media.count == description.media.count)
  _ = try? NegotiatedSession(local: local, remote: description, role: .answerer)
  _ = try? NegotiatedSession(local: description, remote: local, role: .offerer)
  _ = try? NegotiatedSession(local: description, remote: description, role: .offerer)
}
