import WireFormat

/// Our candidates, with the foundations and preferences that they get.
struct LocalCandidateTable {
  private struct FoundationKey: Hashable {
    let kind: ICECandidate.Kind
    let base: IPAddress
    let server: IPAddress?
    let transport: ICEServerURI.Transport
  }

  private(set) var candidates: [LocalCandidate] = []
  private var foundations: [FoundationKey: Int] = [:]
  private var addressesOfFamily: [IPAddress.Family: Int] = [:]
  private var preferences: [Int: UInt16] = [:]

  /// The preference of a base, given when it is first seen.
  private mutating func preference(of base: CandidateBase) -> UInt16 {
    if let known = preferences[base.number] { return known }
    let family = base.address.ip.family
    let index = addressesOfFamily[family, default: 0]
    addressesOfFamily[family] = index + 1
    let kind: LocalInterfaceAddress.Kind
    switch base.kind {
    case .socket(let address): kind = address.kind
    case .relay(let client): kind = client.transportPreference
    }
    let preference = CandidatePriority.localPreference(
      family: base.address.ip.isIPv4, index: index, interface: kind)
    preferences[base.number] = preference
    return preference
  }

  /// Adds a candidate; nil when the table is full or an equal one (same address and base) is there.
  mutating func add(
    _ kind: ICECandidate.Kind, address: SocketAddress, base: CandidateBase, server: SocketAddress? = nil,
    transport: ICEServerURI.Transport = .udp, related: SocketAddress? = nil, limit: Int
  ) -> LocalCandidate? {
    guard candidates.count < limit else { return nil }
    let isKnown = candidates.contains {
      $0.base === base && $0.candidate.address == address.ip && $0.candidate.port == address.port
    }
    guard !isKnown else { return nil }
    let key = FoundationKey(
      kind: kind, base: base.address.ip, server: server?.ip, transport: transport)
    let foundation = foundations[key] ?? foundations.count + 1
    foundations[key] = foundation
    let candidate = ICECandidate(
      foundation: String(foundation),
      priority: CandidatePriority.candidate(kind, localPreference: preference(of: base), component: 1),
      address: address.ip, port: address.port, kind: kind, relatedAddress: related)
    let local = LocalCandidate(candidate: candidate, base: base)
    candidates.append(local)
    return local
  }

  func candidate(address: SocketAddress, base: CandidateBase) -> ICECandidate? {
    candidates.first {
      $0.base === base && $0.candidate.address == address.ip && $0.candidate.port == address.port
    }?.candidate
  }

  mutating func remove(_ base: CandidateBase) {
    candidates.removeAll { $0.base === base }
    preferences[base.number] = nil
  }
}
