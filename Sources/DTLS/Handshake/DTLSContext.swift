import COpenSSL

/// The one `SSL_CTX` of the process. It takes a third of a millisecond to make and holds nothing that
/// belongs to a connection: certificate, key, role and SRTP profiles are set on each `SSL`.
@safe final class DTLSContext: @unchecked Sendable {
  // Sendable because it does not change after initialisation; SSL_new on a shared context is thread-safe.
  private let context: OpaquePointer

  /// The shared context, or why there is none.
  static let shared: Result<DTLSContext, DTLSError> = {
    do throws(DTLSError) { return .success(try DTLSContext()) } catch { return .failure(error) }
  }()

  /// ECDHE with an AEAD only. AES-128-GCM first: the fastest on every processor with AES instructions.
  private static let ciphers = [
    "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-RSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
  ].joined(separator: ":")

  /// The longest certificate chain taken: an RSA-4096 certificate has 1.3 KB, and nobody sends a chain.
  private static let certificateLimit = 16 * 1024

  private init() throws(DTLSError) {
    ERR_clear_error()
    guard let context = unsafe SSL_CTX_new(DTLS_method()) else {
      throw .libraryFailure(reason: OpenSSLFailure.take().text)
    }
    unsafe self.context = context
    // DTLS 1.3 comes by itself with a library that has it: only the minimum is set.
    guard
      unsafe shim_SSL_CTX_set_min_proto_version(context, DTLS1_2_VERSION) == 1,
      unsafe SSL_CTX_set_cipher_list(context, Self.ciphers) == 1,
      unsafe shim_SSL_CTX_set1_groups_list(context, "X25519:P-256") == 1
    else { throw .libraryFailure(reason: OpenSSLFailure.take().text) }
    unsafe SSL_CTX_set_security_level(context, 2)
    _ = unsafe SSL_CTX_set_options(context, shim_DTLS_options())
    unsafe shim_SSL_CTX_disable_session_cache(context)
    unsafe shim_SSL_CTX_set_max_cert_list(context, Self.certificateLimit)
    unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
    // Takes the place of the chain's validation: only the fingerprint counts (RFC 8827 section 6.5).
    unsafe SSL_CTX_set_cert_verify_callback(
      context, { store, _ in unsafe OpenSSLSession.verifyCertificate(store) }, nil)
  }

  deinit {
    unsafe SSL_CTX_free(context)
  }

  /// A new connection object, owned by the caller.
  func makeSSL() -> OpaquePointer? {
    unsafe SSL_new(context)
  }
}
