import Foundation
import Reactor
import ReactorToolSupport

/// What `reactor run` was asked to do. Its files are opened here, before anything is connected, so that a wrong path is
/// told at once.
struct RunPlan {
  let target: SessionTarget
  let sessionID: String?
  let seconds: Double?
  let commands: [(name: String, arguments: JSONValue?)]
  let source: (any PictureSource)?
  let video: Y4MWriter?
  let videoPath: String?
  let snapshotPath: String?
  let recordingPath: String?
  let showsStatistics: Bool
  let showsPreview: Bool

  /// - Throws: `UsageError` for what makes no sense, `FileFailure` for files that cannot be used.
  init(_ options: CommandLineOptions, console: Console) throws {
    target = try SessionTarget(options)
    sessionID = options.text("session")
    seconds = try options.number("seconds", in: 0.1...1e7)
    commands = try options.all("command").map { pair in
      (pair.value, try pair.object.map { try JSONText.object($0, of: pair.value) })
    }
    let rate = try options.number("y4m-fps", in: 0.001...1000) ?? 30
    snapshotPath = options.text("snapshot")
    recordingPath = options.text("record")
    showsStatistics = options.has("stats")
    showsPreview = console.hasTrueColor && !options.has("no-preview")
    source = try options.text("push").map { (name) -> any PictureSource in
      if name == "pattern" { return PatternSource() }
      return try FileFailure.naming(name) { try Y4MReader(path: name) }
    }
    videoPath = options.text("y4m")
    video = try videoPath.map { path in
      try FileFailure.naming(path) { try Y4MWriter(path: path, framesPerSecond: rate) }
    }
  }
}

/// What is wrong with a file that was named on the command line.
struct FileFailure: Error, CustomStringConvertible {
  let path: String
  let reason: String
  var description: String { "\(path): \(reason)" }

  /// Adds the file's name to what `work` throws.
  static func naming<Value>(_ path: String, _ work: () throws -> Value) throws -> Value {
    do { return try work() } catch { throw FileFailure(path: path, reason: "\(error)") }
  }
}
