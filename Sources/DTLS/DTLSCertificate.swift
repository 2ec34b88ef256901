import COpenSSL
import Digest
import WireFormat

/// A certificate with its private key, and its fingerprint for SDP.
///
/// A self-signed one says nothing about who we are: the signalled fingerprint does (RFC 8827 section 6.5).
/// One may serve several connections, at once too.
@safe package final class DTLSCertificate: @unchecked Sendable {
  // Sendable because neither object changes after initialisation, and OpenSSL counts their references
  // atomically when connections share them.
  private let certificate: OpaquePointer
  private let privateKey: OpaquePointer

  /// The certificate, DER.
  package let der: [UInt8]
  /// The SHA-256 fingerprint, the one that every peer understands.
  package let fingerprint: DTLSFingerprint

  /// The same dates in every certificate: no clock is needed, nobody checks them (RFC 8827), and a date of
  /// birth would be a trait by which to recognise a device. (Years from 2050 need another encoding.)
  private static let notBefore = "20200101000000Z"
  private static let notAfter = "20491231235959Z"
  private static let commonName = "WebRTC"

  /// A new P-256 key and a certificate signed with it. Takes a fraction of a millisecond.
  package static func generate() throws(DTLSError) -> DTLSCertificate {
    ERR_clear_error()
    guard let key = unsafe shim_EVP_EC_gen("P-256") else { throw failure() }
    guard let certificate = unsafe X509_new() else {
      unsafe EVP_PKEY_free(key)
      throw failure()
    }
    guard unsafe fill(certificate, key: key), unsafe X509_sign(certificate, key, EVP_sha256()) > 0 else {
      unsafe X509_free(certificate)
      unsafe EVP_PKEY_free(key)
      throw failure()
    }
    return try unsafe DTLSCertificate(owning: certificate, key: key)
  }

  /// An existing certificate (X.509 DER) with its private key (PKCS #8 or a traditional format, DER).
  package convenience init(certificate: [UInt8], privateKey: [UInt8]) throws(DTLSError) {
    ERR_clear_error()
    let parsed = unsafe certificate.withUnsafeBufferPointer { bytes in
      var cursor = bytes.baseAddress
      return unsafe d2i_X509(nil, &cursor, bytes.count)
    }
    let key = unsafe privateKey.withUnsafeBufferPointer { bytes in
      var cursor = bytes.baseAddress
      return unsafe d2i_AutoPrivateKey(nil, &cursor, bytes.count)
    }
    guard let parsed = unsafe parsed, let key = unsafe key, unsafe X509_check_private_key(parsed, key) == 1
    else {
      unsafe X509_free(parsed)
      unsafe EVP_PKEY_free(key)
      ERR_clear_error()
      throw .invalidCertificate
    }
    try unsafe self.init(owning: parsed, key: key)
  }

  /// Takes over both references, also when it throws.
  private init(owning certificate: OpaquePointer, key: OpaquePointer) throws(DTLSError) {
    let der = unsafe Self.encode(certificate)
    guard let digest = HashFunction.sha256.digest(der),
      let fingerprint = DTLSFingerprint(hash: .sha256, bytes: digest)
    else {
      unsafe X509_free(certificate)
      unsafe EVP_PKEY_free(key)
      throw .libraryFailure(reason: "SHA-256")
    }
    unsafe self.certificate = certificate
    unsafe privateKey = key
    self.der = der
    self.fingerprint = fingerprint
  }

  deinit {
    unsafe X509_free(certificate)
    unsafe EVP_PKEY_free(privateKey)
  }

  /// The fingerprint by another hash function; nil only where OpenSSL refuses it.
  package func fingerprint(_ hash: HashFunction) -> DTLSFingerprint? {
    hash.digest(der).flatMap { DTLSFingerprint(hash: hash, bytes: $0) }
  }

  /// Gives `ssl` its own references to certificate and key.
  func install(in ssl: OpaquePointer) -> Bool {
    unsafe SSL_use_certificate(ssl, certificate) == 1 && SSL_use_PrivateKey(ssl, privateKey) == 1
  }

  /// The DER encoding of an OpenSSL certificate; empty where it cannot be made.
  static func encode(_ certificate: OpaquePointer) -> [UInt8] {
    let length = Int(unsafe i2d_X509(certificate, nil))
    guard length > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: length) { room, count in
      var cursor = room.baseAddress
      count = max(0, Int(unsafe i2d_X509(certificate, &cursor)))
    }
  }

  private static func fill(_ certificate: OpaquePointer, key: OpaquePointer) -> Bool {
    // From the library's generator, like the key itself.
    var serial: UInt64 = 0
    guard
      unsafe withUnsafeMutableBytes(
        of: &serial,
        { bytes in
          unsafe RAND_bytes(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bytes.count))
        }) == 1,
      unsafe X509_set_version(certificate, 2) == 1,
      unsafe ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1 | 1) == 1,
      unsafe ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), notBefore) == 1,
      unsafe ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), notAfter) == 1,
      unsafe X509_set_pubkey(certificate, key) == 1,
      let name = unsafe X509_get_subject_name(certificate)
    else { return false }
    let text = Array(commonName.utf8)
    return unsafe X509_NAME_add_entry_by_txt(
      name, "CN", MBSTRING_FLAG | 1, text, Int32(text.count), -1, 0) == 1
      && X509_set_issuer_name(certificate, name) == 1
  }

  private static func failure() -> DTLSError {
    .libraryFailure(reason: OpenSSLFailure.take().text)
  }
}
