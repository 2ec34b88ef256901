import WireFormat

/// One server URI with what is known of its addresses.
struct GatheringServer {
  let uri: ICEServerURI
  let username: String
  let password: String
  /// At most one a family.
  var addresses: [SocketAddress] = []
  var resolution: ICEResolutionID?

  func address(for family: IPAddress.Family) -> SocketAddress? {
    addresses.first { $0.ip.family == family }
  }
}
