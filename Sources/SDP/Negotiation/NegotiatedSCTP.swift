/// The agreed parameters of the data-channel section (RFC 8841).
package struct NegotiatedSCTP: Hashable, Sendable {
  /// What counts when the peer writes no `a=max-message-size`.
  package static let defaultMaxMessageSize = 65_536

  /// Both sides' INIT chunks, which make the SCTP handshake needless.
  package struct InitExchange: Hashable, Sendable {
    package var local: [UInt8]
    package var remote: [UInt8]
  }

  package var localPort: UInt16
  package var remotePort: UInt16
  /// The largest message that the peer takes, in bytes; `Int.max` when it takes any.
  package var maxSendMessageSize: Int
  /// Whether the peer said so, or ``defaultMaxMessageSize`` stands in (runtime 2.10 says nothing, and takes no
  /// more).
  package var declaresMaxMessageSize: Bool
  /// The largest message that this side announced to take; `Int.max` for any.
  package var maxReceiveMessageSize: Int
  /// Set when both descriptions have `a=sctp-init`.
  package var initExchange: InitExchange?

  init(local: MediaSection, remote: MediaSection) {
    localPort = NegotiatedSCTP.port(local)
    remotePort = NegotiatedSCTP.port(remote)
    maxSendMessageSize = NegotiatedSCTP.size(remote.maxMessageSize)
    declaresMaxMessageSize = remote.maxMessageSize != nil
    maxReceiveMessageSize = NegotiatedSCTP.size(local.maxMessageSize)
    if let own = local.sctpInit, let theirs = remote.sctpInit {
      initExchange = InitExchange(local: own, remote: theirs)
    }
  }

  private static func size(_ written: UInt64?) -> Int {
    guard let written else { return defaultMaxMessageSize }
    return written == 0 ? Int.max : Int(clamping: written)
  }

  // Before RFC 8841 the m= line itself named the port: "m=application 9 DTLS/SCTP 5000".
  private static func port(_ section: MediaSection) -> UInt16 {
    section.sctpPort ?? section.formats.first.flatMap { UInt16(decimal: $0) } ?? 5000
  }
}
