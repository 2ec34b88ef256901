import DTLS
import Synchronization
import WireFormat

/// The process's DTLS certificate, renewed now and then.
///
/// Making one costs more than a handshake's other work together; a fresh one a connection would only make
/// connections of one process look unrelated, which their session ids do not.
final class IdentityCache: Sendable {
  static let shared = IdentityCache()

  /// A certificate is used for so long before the next connection gets a new one.
  static let lifetime = Interval.seconds(12 * 3600)

  private struct Entry {
    var certificate: DTLSCertificate
    var madeAt: Instant
  }

  private let entry = Mutex<Entry?>(nil)

  /// The current certificate; makes one when there is none or it is old.
  func certificate() throws(PeerConnectionError) -> DTLSCertificate {
    let now = MonotonicClock.now()
    return try entry.withLock { entry throws(PeerConnectionError) in
      if let entry, now - entry.madeAt < IdentityCache.lifetime { return entry.certificate }
      let made: DTLSCertificate
      do { made = try DTLSCertificate.generate() } catch { throw .identity("\(error)") }
      entry = Entry(certificate: made, madeAt: now)
      return made
    }
  }
}
