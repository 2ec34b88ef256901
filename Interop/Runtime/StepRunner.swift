import Foundation
import Reactor
import Synchronization

/// A step found something else than it should.
struct Mismatch: Error, CustomStringConvertible {
  let description: String
}

/// Throws a ``Mismatch`` unless `condition` holds.
func expect(_ condition: Bool, _ what: @autoclosure () -> String) throws {
  if !condition { throw Mismatch(description: what()) }
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Waits until `condition` holds; false when it does not within `limit`.
func eventually(_ limit: Duration, _ condition: @Sendable () throws -> Bool) async rethrows -> Bool {
  let deadline = ContinuousClock.now + limit
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return try condition()
}

/// Runs named steps one after the other and prints one line each.
final class StepRunner: Sendable {
  private struct State {
    var passed = 0
    var failed = 0
    var current: (name: String, deadline: ContinuousClock.Instant)?
  }

  private let state = Mutex(State())

  /// A step that hangs ends the program: nothing after it would mean anything.
  init() {
    let watchdog = Thread { [weak self] in
      while true {
        Thread.sleep(forTimeInterval: 0.5)
        guard let self else { return }
        let late = state.withLock { state in
          state.current.flatMap { $0.deadline < .now ? $0.name : nil }
        }
        guard let late else { continue }
        say("FAIL \(padded(late)) does not come to an end")
        exit(1)
      }
    }
    watchdog.start()
  }

  var failures: Int { state.withLock { $0.failed } }
  var summary: String { state.withLock { "\($0.passed) passed, \($0.failed) failed" } }

  /// Runs one step; what it returns is shown on its line. Returns whether it passed.
  @discardableResult
  func step(
    _ name: String, limit: Duration = .seconds(40), _ action: @Sendable () async throws -> String
  ) async -> Bool {
    let began = ContinuousClock.now
    state.withLock { $0.current = (name, began + limit) }
    let verdict: String
    let said: String
    do {
      said = try await action()
      verdict = "ok  "
    } catch let error as ReactorError {
      said = "\(error.code.rawValue): \(error.message)"
      verdict = "FAIL"
    } catch {
      said = "\(error)"
      verdict = "FAIL"
    }
    let passed = verdict == "ok  "
    state.withLock { state in
      state.current = nil
      if passed { state.passed += 1 } else { state.failed += 1 }
    }
    let seconds = Double((ContinuousClock.now - began) / .milliseconds(1)) / 1000
    say("\(verdict) \(padded(name)) \(String(format: "%7.3f", seconds))s  \(said)")
    return passed
  }

  private func padded(_ name: String) -> String {
    name.padding(toLength: max(32, name.count), withPad: " ", startingAt: 0)
  }
}

/// Runs a program and returns what it prints; throws when it fails.
func output(of program: String, _ arguments: [String]) throws -> String {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.standardOutput = pipe
  try process.run()
  let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  try expect(process.terminationStatus == 0, "\(program) ended with \(process.terminationStatus)")
  return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}

/// The code that `call` fails with.
func errorCode(_ call: () async throws -> Void) async throws -> String {
  do {
    try await call()
  } catch let error as ReactorError {
    return error.code.rawValue
  }
  throw Mismatch(description: "it was not refused")
}
