import Foundation
import TestSupport

/// A UDP port of this machine that is open and answers nothing, until it is closed.
final class SilentPort {
  let number: UInt16
  private var descriptor: Int32?

  init() {
    let (descriptor, number) = openPort()
    self.descriptor = descriptor
    self.number = number
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
      let (descriptor, number) = openPort()
      close(descriptor)
      port = number
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

/// A UDP socket on a free port of the loopback interface.
private func openPort() -> (descriptor: Int32, number: UInt16) {
  #if canImport(Darwin)
    let datagrams = SOCK_DGRAM
  #else
    let datagrams = Int32(SOCK_DGRAM.rawValue)
  #endif
  let descriptor = socket(AF_INET, datagrams, 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
      _ = bind(descriptor, generic, length)
      _ = getsockname(descriptor, generic, &length)
    }
  }
  return (descriptor, UInt16(bigEndian: address.sin_port))
}
