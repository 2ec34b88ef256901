import DTLS
import Foundation

/// A running `openssl s_client` or `openssl s_server`, with all that it printed.
final class OpenSSLPeer {
  private let process = Process()
  private let input = Pipe()
  private let log: URL

  init(openssl: URL, arguments: [String], log: URL) throws {
    self.log = log
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    let output = try FileHandle(forWritingTo: log)
    process.executableURL = openssl
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  var output: String {
    (try? String(decoding: Data(contentsOf: log), as: UTF8.self)) ?? ""
  }

  /// What follows `label` on its line.
  func value(after label: String) -> String? {
    output.split(separator: "\n").first { $0.contains(label) }
      .flatMap { line in line.range(of: label).map { line[$0.upperBound...] } }
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  func write(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  /// The path of the `openssl` command, nil where it is not installed.
  static func find() -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    return folders.map { URL(filePath: String($0)).appending(path: "openssl") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Runs one command to its end and returns what it printed.
  static func run(_ openssl: URL, _ arguments: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = openssl
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
