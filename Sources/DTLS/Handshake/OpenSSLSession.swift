import COpenSSL
import SRTP
import WireFormat

/// One `SSL` object over a ``DatagramBIO``: the library's calls as methods whose results are values.
@safe final class OpenSSLSession {
  enum Progress {
    /// More datagrams are needed.
    case blocked
    case done
    /// The peer sent close_notify.
    case closed
    case failed(DTLSError)
  }

  /// Bytes that a record can carry (RFC 6347 section 4.1).
  static let recordLimit = 16 * 1024

  private let ssl: OpaquePointer
  private let bio: DatagramBIO
  private var schedule = RetransmissionSchedule(roundTripTime: nil)
  /// Which certificates to accept; empty accepts all, for the fingerprints are checked later then.
  var fingerprints: [DTLSFingerprint]
  private var sawMismatch = false

  /// The current timeout of the handshake's flight.
  private var timeout = Interval.zero
  private(set) var expirations: UInt64 = 0

  init(
    role: DTLSRole, certificate: DTLSCertificate, fingerprints: [DTLSFingerprint],
    srtpProfiles: [SRTPProfile], mtu: Int, bio: DatagramBIO
  ) throws(DTLSError) {
    ERR_clear_error()
    guard let ssl = unsafe try DTLSContext.shared.get().makeSSL() else {
      throw .libraryFailure(reason: OpenSSLFailure.take().text)
    }
    unsafe self.ssl = ssl
    self.bio = bio
    self.fingerprints = fingerprints
    guard let channel = unsafe bio.makeBIO() else {
      throw .libraryFailure(reason: OpenSSLFailure.take().text)
    }
    unsafe SSL_set_bio(ssl, channel, channel)
    guard unsafe certificate.install(in: ssl) else {
      ERR_clear_error()
      throw .invalidCertificate
    }
    let profiles = srtpProfiles.map(Self.name(of:)).joined(separator: ":")
    // This function returns 0 for success.
    guard
      unsafe srtpProfiles.isEmpty || SSL_set_tlsext_use_srtp(ssl, profiles) == 0,
      unsafe shim_SSL_set_mtu(ssl, mtu) > 0,
      unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque()) == 1
    else { throw .libraryFailure(reason: OpenSSLFailure.take().text) }
    unsafe DTLS_set_timer_cb(ssl) { ssl, previous in unsafe OpenSSLSession.nextTimeout(ssl, previous) }
    switch role {
    case .client: unsafe SSL_set_connect_state(ssl)
    case .server: unsafe SSL_set_accept_state(ssl)
    }
  }

  deinit {
    bio.detachTimer()
    unsafe SSL_free(ssl)
  }

  // MARK: Handshake

  /// There is a path from now on: a flight that was made before it counts as sent now.
  func begin(_ schedule: RetransmissionSchedule) {
    self.schedule = schedule
    timeout = schedule.first
  }

  func handshake() -> Progress {
    ERR_clear_error()
    return unsafe progress(after: SSL_do_handshake(ssl))
  }

  /// Sends the flight again that was not answered in time.
  func retransmit() -> Progress {
    ERR_clear_error()
    if letsTimerBeMoved { bio.expireTimer() }
    let result = unsafe shim_DTLSv1_handle_timeout(ssl)
    return result < 0 ? progress(after: result) : .blocked
  }

  /// More than any timeout that we ever give the library.
  private static let outOfReach: Int64 = 3_600_000_000

  /// Whether the library took over the deadline that ``DatagramBIO`` wrote.
  private var letsTimerBeMoved: Bool { (libraryTimeLeft ?? 0) > Self.outOfReach }

  /// How long to wait before `retransmit()`; nil when nothing is to be sent again.
  var timeUntilRetransmission: Interval? {
    guard let left = libraryTimeLeft else { return nil }
    // A library that keeps its own time is asked again when its time has come.
    return left > Self.outOfReach ? timeout : max(.milliseconds(1), .microseconds(left))
  }

  /// How long the library itself would still wait, in microseconds; nil when it waits for nothing.
  private var libraryTimeLeft: Int64? {
    let left = unsafe shim_DTLSv1_get_timeout(ssl)
    return left < 0 ? nil : left
  }

  var peerCertificate: [UInt8]? {
    guard let certificate = unsafe SSL_get0_peer_certificate(ssl) else { return nil }
    return unsafe DTLSCertificate.encode(certificate)
  }

  var version: String { unsafe String(cString: SSL_get_version(ssl)) }

  var cipher: String {
    guard let cipher = unsafe SSL_get_current_cipher(ssl), let name = unsafe SSL_CIPHER_get_name(cipher)
    else {
      return "none"
    }
    return unsafe String(cString: name)
  }

  /// The SRTP profile that was agreed on, with its keys (RFC 5764 section 4.2).
  func exportSRTPKeys() -> SRTPKeyingMaterial? {
    guard
      let selected = unsafe SSL_get_selected_srtp_profile(ssl),
      let number = unsafe UInt16(exactly: selected.pointee.id), let profile = SRTPProfile(rawValue: number)
    else { return nil }
    let label = "EXTRACTOR-dtls_srtp"
    var succeeded = false
    let exported = unsafe SecretBytes(count: profile.exportedLength) { room in
      let output = unsafe room.baseAddress?.assumingMemoryBound(to: UInt8.self)
      succeeded =
        unsafe SSL_export_keying_material(
          ssl, output, room.count, label, label.utf8.count, nil, 0, 0) == 1
    }
    return succeeded ? SRTPKeyingMaterial(profile: profile, exported: exported) : nil
  }

  // MARK: Application data

  func write(_ data: RawSpan) -> Progress {
    ERR_clear_error()
    let result = unsafe data.withUnsafeBytes { bytes in
      unsafe SSL_write(ssl, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count))
    }
    return progress(after: result)
  }

  /// Reads one record's data into the empty `buffer`.
  func read(into buffer: PacketBuffer) -> Progress {
    ERR_clear_error()
    var result: Int32 = 0
    unsafe buffer.withUnsafeMutableBytes { room, _ in
      result = unsafe SSL_read(ssl, room.baseAddress, Int32(clamping: room.count))
      return Int(max(0, result))
    }
    return progress(after: result)
  }

  /// Sends close_notify.
  func shutdown() {
    ERR_clear_error()
    _ = unsafe SSL_shutdown(ssl)
    ERR_clear_error()
  }

  // MARK: Results

  private func progress(after result: Int32) -> Progress {
    if result > 0 { return .done }
    switch unsafe SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
      return .blocked
    case SSL_ERROR_ZERO_RETURN:
      return .closed
    default:
      return .failed(error(from: OpenSSLFailure.take()))
    }
  }

  private func error(from failure: OpenSSLFailure) -> DTLSError {
    switch failure.reason {
    case SSL_R_CERTIFICATE_VERIFY_FAILED where sawMismatch:
      return .fingerprintMismatch
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
      return .noPeerCertificate
    case SSL_R_READ_TIMEOUT_EXPIRED:
      return .timedOut
    case SSL_AD_REASON_OFFSET..<SSL_AD_REASON_OFFSET + 256:
      return .alertReceived(
        DTLSAlert(rawValue: UInt8(truncatingIfNeeded: failure.reason - SSL_AD_REASON_OFFSET)))
    default:
      return .handshakeFailed(reason: failure.text)
    }
  }

  private static func name(of profile: SRTPProfile) -> String {
    switch profile {
    case .aes128CMSHA1With80BitTag: "SRTP_AES128_CM_SHA1_80"
    case .aeadAES128GCM: "SRTP_AEAD_AES_128_GCM"
    case .aeadAES256GCM: "SRTP_AEAD_AES_256_GCM"
    }
  }

  // MARK: Calls from the library

  private static func session(of ssl: OpaquePointer?) -> OpenSSLSession? {
    guard let ssl = unsafe ssl, let data = unsafe SSL_get_ex_data(ssl, 0) else { return nil }
    return unsafe Unmanaged<OpenSSLSession>.fromOpaque(data).takeUnretainedValue()
  }

  /// `previous` is 0 for the first timeout of a flight; both are microseconds.
  private static func nextTimeout(_ ssl: OpaquePointer?, _ previous: UInt32) -> UInt32 {
    guard let session = unsafe session(of: ssl) else { return 1_000_000 }
    let isFirst = previous == 0
    if !isFirst { session.expirations &+= 1 }
    session.timeout = session.schedule.next(after: isFirst ? nil : session.timeout)
    return UInt32(clamping: session.timeout.wholeMicroseconds)
  }

  /// 1 when the peer's certificate is one that was signalled.
  static func verifyCertificate(_ store: OpaquePointer?) -> Int32 {
    guard
      let store = unsafe store,
      let ssl = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
      let session = unsafe session(of: OpaquePointer(ssl)),
      let certificate = unsafe X509_STORE_CTX_get0_cert(store)
    else { return 0 }
    if session.fingerprints.isEmpty { return 1 }
    let der = unsafe DTLSCertificate.encode(certificate)
    if session.fingerprints.contains(where: { $0.matches(der) }) { return 1 }
    session.sawMismatch = true
    // This error makes the library send the alert bad_certificate.
    unsafe X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED)
    return 0
  }
}
