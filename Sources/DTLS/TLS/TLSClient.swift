import COpenSSL
import WireFormat

/// The client side of one TLS connection, for TURN over TLS: bytes in, bytes out, no I/O of its own.
///
/// The server's certificate is verified against the system's roots and the server's name, unlike a DTLS
/// peer's, whose fingerprint comes by signalling.
@safe package final class TLSClient {
  /// Decrypted bytes that may wait; a server that sends more than is read is cut off.
  package static let receivedLimit = 1 << 20

  private let ssl: OpaquePointer?
  private let input: OpaquePointer?
  private let output: OpaquePointer?
  private var received: [[UInt8]] = []
  private var receivedBytes = 0
  private var waiting: [[UInt8]] = []
  /// Why it ended; nil while it works.
  package private(set) var failure: String?
  /// Whether the handshake is through.
  package private(set) var isConnected = false

  /// - Parameters:
  ///   - serverName: a host name, or an address in text form.
  ///   - trustedRoots: a PEM file of roots to trust instead of the system's.
  package init(serverName: String, trustedRoots: String? = nil) {
    var made: OpaquePointer?
    if let context = unsafe SSL_CTX_new(TLS_client_method()) {
      _ = unsafe shim_SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION)
      if let trustedRoots {
        _ = unsafe SSL_CTX_load_verify_locations(context, trustedRoots, nil)
      } else {
        _ = unsafe SSL_CTX_set_default_verify_paths(context)
      }
      unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
      unsafe made = SSL_new(context)
      unsafe SSL_CTX_free(context)
    }
    unsafe ssl = made
    unsafe input = BIO_new(BIO_s_mem())
    unsafe output = BIO_new(BIO_s_mem())
    guard let ssl = unsafe made, let input = unsafe input, let output = unsafe output else {
      failure = "TLS could not be set up: \(OpenSSLFailure.take().text)"
      return
    }
    unsafe SSL_set_bio(ssl, input, output)
    if let parameters = unsafe SSL_get0_param(ssl), IPAddress(serverName) != nil {
      _ = unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, serverName)
    } else {
      _ = unsafe shim_SSL_set_server_name(ssl, serverName)
      _ = unsafe SSL_set1_host(ssl, serverName)
    }
    unsafe SSL_set_connect_state(ssl)
  }

  deinit {
    // The BIOs belong to the connection once set.
    unsafe SSL_free(ssl)
  }

  /// Begins the handshake: the first flight is then in ``nextTransmit()``.
  package func start() {
    advance()
  }

  /// Takes bytes that came from the server.
  package func handle(_ bytes: RawSpan) {
    guard failure == nil, let input = unsafe input else { return }
    let written = unsafe bytes.withUnsafeBytes { source in
      unsafe BIO_write(input, source.baseAddress, Int32(clamping: source.count))
    }
    guard Int(written) == bytes.byteCount else { return fail("out of memory") }
    advance()
  }

  /// Encrypts bytes for the server; they wait while the handshake runs.
  package func send(_ bytes: RawSpan) {
    guard failure == nil, bytes.byteCount > 0 else { return }
    guard isConnected else {
      waiting.append(bytes.copyBytes())
      return
    }
    write(bytes)
  }

  /// Encrypted bytes to send to the server.
  package func nextTransmit() -> [UInt8]? {
    guard let output = unsafe output else { return nil }
    let pending = unsafe shim_BIO_pending(output)
    guard pending > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(pending))
    let count = unsafe BIO_read(output, &bytes, pending)
    return count > 0 ? Array(bytes.prefix(Int(count))) : nil
  }

  /// Decrypted bytes that came from the server.
  package func nextReceived() -> [UInt8]? {
    guard !received.isEmpty else { return nil }
    let bytes = received.removeFirst()
    receivedBytes -= bytes.count
    return bytes
  }

  private func advance() {
    guard failure == nil, let ssl = unsafe ssl else { return }
    if !isConnected {
      ERR_clear_error()
      let result = unsafe SSL_do_handshake(ssl)
      guard result == 1 else {
        if !isWaiting(result) { fail(handshakeFailure()) }
        return
      }
      isConnected = true
      for bytes in waiting { write(bytes.rawSpan) }
      waiting.removeAll()
    }
    readAll()
  }

  private func readAll() {
    guard let ssl = unsafe ssl else { return }
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while failure == nil {
      ERR_clear_error()
      let count = unsafe SSL_read(ssl, &chunk, Int32(chunk.count))
      guard count > 0 else {
        if !isWaiting(count) { fail("the server closed the TLS connection") }
        return
      }
      guard receivedBytes + Int(count) <= TLSClient.receivedLimit else {
        return fail("the server sends faster than it is read")
      }
      received.append(Array(chunk.prefix(Int(count))))
      receivedBytes += Int(count)
    }
  }

  private func write(_ bytes: RawSpan) {
    guard let ssl = unsafe ssl else { return }
    ERR_clear_error()
    let written = unsafe bytes.withUnsafeBytes { source in
      unsafe SSL_write(ssl, source.baseAddress, Int32(clamping: source.count))
    }
    if written <= 0 { fail("TLS refused to send: \(OpenSSLFailure.take().text)") }
  }

  private func isWaiting(_ result: Int32) -> Bool {
    let error = unsafe SSL_get_error(ssl, result)
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE
  }

  private func handshakeFailure() -> String {
    let verification = unsafe SSL_get_verify_result(ssl)
    if verification != Int(X509_V_OK), let reason = unsafe X509_verify_cert_error_string(verification) {
      _ = OpenSSLFailure.take()
      return unsafe "the server's certificate is not trusted: \(String(cString: reason))"
    }
    return "the TLS handshake failed: \(OpenSSLFailure.take().text)"
  }

  private func fail(_ reason: String) {
    failure = reason
    waiting.removeAll()
  }
}
