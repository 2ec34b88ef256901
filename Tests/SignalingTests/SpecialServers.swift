import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// Answers 403 as soon as it has read the head of a request, and reads no further.
final class EarlyAnswerServer: Sendable {
  private let listener: CInt
  let port: Int

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    _ = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, 4) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in
      let connection = accept(listener, nil, nil)
      close(listener)
      guard connection >= 0 else { return }
      var piece = [UInt8](repeating: 0, count: 4096)
      _ = piece.withUnsafeMutableBytes { recv(connection, $0.baseAddress, $0.count, 0) }
      let answer = Array("HTTP/1.1 403 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
      _ = answer.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      // Keeps reading a little, as servers do, so that the answer is not lost to a reset.
      var left = 8 << 20
      while left > 0 {
        let count = piece.withUnsafeMutableBytes { recv(connection, $0.baseAddress, $0.count, 0) }
        if count <= 0 { break }
        left -= count
      }
      close(connection)
    }
  }

  var url: String { "http://127.0.0.1:\(port)/" }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
  }
}

/// OpenSSL's own test server, or nghttp2's for HTTP/2, with a certificate that nobody vouches for.
final class TLSServer {
  private let process: pid_t
  private let folder: URL
  let port: Int
  let certificatePEM: [UInt8]

  static let http2Path = "/usr/sbin/nghttpd"

  /// - Parameter http2FileSize: nil: OpenSSL's server; else nghttp2's, which serves a file `big` of that size.
  init(http2FileSize: Int? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "reactor-tls-\(UInt64.random(in: 0...(.max)))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (key, certificate) = (folder.appending(path: "key.pem").path, folder.appending(path: "cert.pem").path)
    try TLSServer.run([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
      "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
    ])
    certificatePEM = [UInt8](try Data(contentsOf: URL(filePath: certificate)))
    // A port that was free a moment ago.
    let probe = try TestServer { _, _ in }
    port = probe.port
    probe.stop()
    if let http2FileSize {
      let big = folder.appending(path: "big").path
      _ = FileManager.default.createFile(atPath: big, contents: nil)
      truncate(big, http2FileSize)
      process = try TLSServer.spawn(
        TLSServer.http2Path, ["-d", folder.path, "-a", "127.0.0.1", "\(port)", key, certificate])
    } else {
      process = try TLSServer.spawn(
        "openssl",
        ["s_server", "-accept", "127.0.0.1:\(port)", "-key", key, "-cert", certificate, "-www", "-quiet"])
    }
    for _ in 0..<100 where !TLSServer.answers(port) { usleep(20_000) }
  }

  var url: String { "https://127.0.0.1:\(port)/" }

  func stop() {
    kill(process, SIGKILL)
    TLSServer.wait(process)
    try? FileManager.default.removeItem(at: folder)
  }

  private static func run(_ arguments: [String]) throws {
    wait(try spawn("openssl", arguments))
  }

  // Foundation's Process can wait for ever on a thread of the concurrency pool.
  private static func spawn(_ program: String, _ arguments: [String]) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: CInt in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, program, &actions, nil, &words, environ) == 0 else {
      throw POSIXError(.ENOENT)
    }
    return process
  }

  private static func wait(_ process: pid_t) {
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  private static func answers(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
