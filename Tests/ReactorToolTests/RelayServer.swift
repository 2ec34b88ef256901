import Foundation
import TestSupport

/// A UDP port of this machine that is open and answers nothing, until it is closed.
final class SilentPort {
  let number: UInt16
  private var descriptor: Int32?

  init() {
    number = FreePort.take()
    descriptor = FreePort.open(number, isUDP: true)
  }

  func close() {
    if let descriptor { Foundation.close(descriptor) }
    descriptor = nil
  }
}

#if canImport(Glibc)
  /// A coturn server on the loopback interface, until it is stopped.
  final class RelayServer {
    private static let path = "/usr/bin/turnserver"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    let port: UInt16
    private let process: ChildProcess
    private let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "coturn-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      port = FreePort.take()
      process = try ChildProcess(
        RelayServer.path,
        [
          "-n", "--no-cli", "--listening-ip=127.0.0.1", "--relay-ip=127.0.0.1", "--listening-port=\(port)",
          "--allow-loopback-peers", "--lt-cred-mech", "--fingerprint", "--user=user:secret",
          "--realm=example.org",
          "--no-tls", "--no-dtls", "--userdb=\(folder.path)/db", "--pidfile=\(folder.path)/pid",
          "--log-file=\(folder.path)/log", "--simple-log",
        ])
    }

    func stop() {
      process.stop()
      try? FileManager.default.removeItem(at: folder)
    }
  }
#endif
