/// Which codecs two sides have in common: pure functions on what both say.
package enum CodecNegotiation {
  /// The codecs of an answer: those of the offer that this side can use, under the offer's payload types.
  ///
  /// Feedback is what both know; a retransmission format stays when both want it. Parameters are this side's.
  package static func answer(
    to offered: [CodecDescription], with capabilities: [CodecCapability], prefersOwnOrder: Bool
  ) -> [CodecDescription] {
    let byPayloadType = Dictionary(
      offered.map { ($0.payloadType, $0) }, uniquingKeysWith: { first, _ in first })
    var ranked: [(rank: Int, codec: CodecDescription)] = []
    for codec in offered where !codec.isRetransmission {
      guard let rank = capabilities.firstIndex(where: { $0.matches(codec) }) else { continue }
      let own = capabilities[rank]
      var answer = own.description(payloadType: codec.payloadType)
      answer.name = codec.name
      answer.feedback = codec.feedback.filter { own.feedback.contains($0) }
      if own.hasRetransmission, let repair = codec.retransmissionPayloadType, byPayloadType[repair] != nil {
        answer.retransmissionPayloadType = repair
      }
      ranked.append((rank, answer))
    }
    guard prefersOwnOrder else { return ranked.map(\.codec) }
    // Equal ranks (one codec offered twice) keep the offer's order.
    let sorted = ranked.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }
    return sorted.map(\.element.codec)
  }

  /// What both descriptions of a section agree on, in the answer's order, `red` included, repairs joined.
  package static func common(
    local: [CodecDescription], remote: [CodecDescription], order: NegotiationRole
  ) -> [NegotiatedCodec] {
    let (leading, following) = order == .answerer ? (local, remote) : (remote, local)
    return leading.compactMap { codec in
      guard !codec.isRetransmission, let other = counterpart(of: codec, in: following) else { return nil }
      let (own, theirs) = order == .answerer ? (codec, other) : (other, codec)
      return NegotiatedCodec(local: own, remote: theirs)
    }
  }

  private static func counterpart(
    of codec: CodecDescription, in others: [CodecDescription]
  ) -> CodecDescription? {
    if let same = others.first(where: { $0.payloadType == codec.payloadType }) {
      if codec.isSameFormat(as: same) { return same }
      // An answer may leave out the parameters that told the offer's formats apart (runtime 2.10 drops
      // H264's profile-level-id); the payload type says which one is meant.
      if codec.isNamed(same.name), codec.clockRate == same.clockRate, codec.channels == same.channels,
        codec.lacksProfile || same.lacksProfile
      {
        return same
      }
    }
    return others.first { codec.isSameFormat(as: $0) }
  }
}

extension CodecDescription {
  fileprivate var lacksProfile: Bool {
    ["profile-id", "profile", "profile-level-id"].allSatisfy { parameters[$0] == nil }
  }
}
