/// Which end of the DTLS handshake this side is.
package enum DTLSRole: Hashable, Sendable {
  /// Sends the ClientHello.
  case client
  case server

  package var opposite: DTLSRole { self == .client ? .server : .client }

  /// The offerer's role that an offer and its answer give together (RFC 8842 section 5.3); nil when both would
  /// wait or both would start. A missing value counts as `actpass` in an offer and as `active` in an answer,
  /// which is what peers that leave it out mean.
  package static func ofOfferer(offer: DTLSSetup?, answer: DTLSSetup?) -> DTLSRole? {
    switch (offer ?? .actpass, answer ?? .active) {
    case (.actpass, .active), (.passive, .active): .server
    case (.actpass, .passive), (.active, .passive): .client
    default: nil
    }
  }
}
