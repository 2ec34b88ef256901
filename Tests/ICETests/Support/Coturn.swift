import Foundation
import TestSupport
import WireFormat

#if canImport(Glibc)
  /// A coturn server on the loopback interface, for one test. It ends with this object.
  final class Coturn {
    static let path = "/usr/bin/turnserver"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    let port: UInt16
    let tlsPort: UInt16
    private let process: ChildProcess
    private let folder: URL

    /// - Parameter lifetime: the longest that an allocation lives without refresh, in seconds.
    init(lifetime: Int) throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "coturn-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      port = FreePort.take()
      tlsPort = FreePort.take()
      try Coturn.makeCertificate(in: folder)
      process = try ChildProcess(
        Coturn.path,
        [
          "-n", "--no-cli", "--listening-ip=127.0.0.1", "--relay-ip=127.0.0.1", "--listening-port=\(port)",
          "--tls-listening-port=\(tlsPort)", "--allow-loopback-peers", "--lt-cred-mech", "--fingerprint",
          "--user=user:secret", "--realm=example.org", "--max-allocate-lifetime=\(lifetime)", "--no-dtls",
          "--cert=\(folder.path)/cert.pem", "--pkey=\(folder.path)/key.pem", "--userdb=\(folder.path)/db",
          "--pidfile=\(folder.path)/pid", "--log-file=\(folder.path)/log", "--simple-log", "--verbose",
        ])
    }

    deinit {
      try? FileManager.default.removeItem(at: folder)
    }

    var log: String { (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? "" }

    private static func makeCertificate(in folder: URL) throws {
      let openssl = try ChildProcess(
        "/usr/bin/openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
          "-subj", "/CN=localhost", "-keyout", "\(folder.path)/key.pem", "-out", "\(folder.path)/cert.pem",
        ])
      openssl.waitUntilExit()
    }
  }
#endif
