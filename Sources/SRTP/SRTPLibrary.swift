import CSRTP
import WireFormat

/// libsrtp as a whole: started once a process, and kept awake.
///
/// Debian's libsrtp is built on NSS, which it starts with the first cipher and ends with the last one. Its own start
/// tests every cipher in turn, and so loads NSS a dozen times: 40 ms. ``start()`` is for a thread that has the time.
package enum SRTPLibrary {
  /// Any thread; what a second caller meets is done or in work, and it waits for it.
  package static func start() throws(SRTPError) {
    guard status == srtp_err_status_ok else { throw .unavailable(status: status.rawValue) }
    _ = unsafe resident
  }

  // Swift runs these initialisers once, whatever the threads.
  private static let status: srtp_err_status_t = srtp_init()

  /// A cipher that nobody uses and that never goes: without one, each first session would load NSS again (1 ms).
  ///
  /// Unsafe only by its type: nothing but this declaration ever touches it.
  private nonisolated(unsafe) static let resident: SRTPContext? = {
    let profile = SRTPProfile.aeadAES128GCM
    let zeros = unsafe SecretBytes(count: profile.keyLength + profile.saltLength) { _ in }
    return SRTPMasterKey(profile: profile, keyAndSalt: zeros).flatMap { try? SRTPContext(.inbound, key: $0) }
  }()
}
