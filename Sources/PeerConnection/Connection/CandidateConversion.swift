import ICE
import SDP
import WireFormat

extension ICECandidate {
  /// From an attribute; nil for what ICE here has no use for (other transports and components), which
  /// costs that candidate only.
  init?(_ attribute: CandidateAttribute) {
    let kind: Kind
    switch attribute.kind {
    case .host: kind = .host
    case .serverReflexive: kind = .serverReflexive
    case .peerReflexive: kind = .peerReflexive
    case .relay: kind = .relayed
    case .other: return nil
    }
    let transport: Transport
    switch attribute.transport {
    case .udp: transport = .udp
    case .tcp: transport = .tcp
    case .other: return nil
    }
    let address = IPAddress(attribute.connectionAddress)
    var related: SocketAddress?
    if let host = attribute.relatedAddress, let port = attribute.relatedPort {
      related = SocketAddress(host, port: port)
    }
    self.init(
      foundation: attribute.foundation, component: Int(attribute.component), transport: transport,
      priority: attribute.priority, address: address, port: attribute.port, kind: kind,
      relatedAddress: related, tcpType: attribute.tcpType.flatMap { TCPType(rawValue: $0.rawValue) },
      hostname: address == nil ? attribute.connectionAddress : nil,
      ufrag: attribute.extensionValue("ufrag"))
  }

  /// The attribute that signals this candidate.
  func attribute(ufrag: String) -> CandidateAttribute {
    let attributeKind: CandidateAttribute.Kind
    switch kind {
    case .host: attributeKind = .host
    case .serverReflexive: attributeKind = .serverReflexive
    case .peerReflexive: attributeKind = .peerReflexive
    case .relayed: attributeKind = .relay
    }
    return CandidateAttribute(
      foundation: foundation, component: UInt16(clamping: component),
      transport: transport == .udp ? .udp : .tcp,
      priority: priority, connectionAddress: address?.description ?? hostname ?? "0.0.0.0", port: port,
      kind: attributeKind, relatedAddress: relatedAddress?.ip.description, relatedPort: relatedAddress?.port,
      tcpType: tcpType.flatMap { CandidateAttribute.TCPType(rawValue: $0.rawValue) },
      extensions: [
        CandidateAttribute.Extension(name: "generation", value: "0"),
        CandidateAttribute.Extension(name: "ufrag", value: ufrag),
      ])
  }
}
