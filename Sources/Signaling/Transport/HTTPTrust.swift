/// Whom the built-in transport believes, and as whom it appears.
package struct HTTPTrust: Hashable, Sendable {
  /// Further trusted roots, as PEM text; they replace the system's.
  package var rootsPEM: [UInt8]?
  /// The client's certificate chain and private key, as PEM text.
  package var clientCertificatePEM: [UInt8]?
  package var clientKeyPEM: [UInt8]?
  /// Whether loopback addresses may show any certificate: for local runtimes. Others never may.
  package var trustsLoopback = false

  package init() {}
}
