import Media
import SRTP

/// What the first connection of a process would otherwise wait for, done while its signalling is under way: the
/// start of libsrtp (40 ms on Debian), that of OpenSSL, and the certificate.
package enum WarmUp {
  /// Starts it, once a process, on a thread of its own. Any thread; returns at once.
  package static func begin() {
    _ = begun
  }

  // Failures show where the same is asked for again, by the connection itself.
  private static let begun: Void = {
    // Nobody waits for it: let go of, it ends by itself.
    _ = WorkerThread(name: "reactor-warm-up") {
      _ = try? IdentityCache.shared.certificate()
      try? SRTPLibrary.start()
    }
  }()
}
