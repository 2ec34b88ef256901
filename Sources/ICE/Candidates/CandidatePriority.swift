/// Priorities of candidates and pairs (RFC 8445 sections 5.1.2 and 6.1.2.3).
enum CandidatePriority {
  static func typePreference(_ kind: ICECandidate.Kind) -> UInt32 {
    switch kind {
    case .host: 126
    case .peerReflexive: 110
    case .serverReflexive: 100
    case .relayed: 0
    }
  }

  static func candidate(_ kind: ICECandidate.Kind, localPreference: UInt16, component: Int) -> UInt32 {
    typePreference(kind) &<< 24 | UInt32(localPreference) &<< 8
      | UInt32(truncatingIfNeeded: 256 &- component)
  }

  /// What a check announces: the priority that its candidate gets if the peer sees a new address.
  static func peerReflexive(of candidate: UInt32) -> UInt32 {
    typePreference(.peerReflexive) &<< 24 | candidate & 0xFF_FFFF
  }

  static func pair(controlling: UInt32, controlled: UInt32) -> UInt64 {
    let low = UInt64(min(controlling, controlled))
    let high = UInt64(max(controlling, controlled))
    return low &<< 32 &+ 2 &* high &+ (controlling > controlled ? 1 : 0)
  }

  /// The local preference of the `index`th address of its family: families alternate, IPv6 first (RFC 8421
  /// section 4), and costly interfaces come after cheap ones.
  static func localPreference(
    family isIPv4: Bool, index: Int, interface: LocalInterfaceAddress.Kind
  ) -> UInt16 {
    let step = UInt16(clamping: min(max(0, index), 4000)) * 2 + (isIPv4 ? 1 : 0)
    return 65_535 - interface.rawValue * 8192 - step
  }
}
