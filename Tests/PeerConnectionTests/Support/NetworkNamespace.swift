import Foundation
import TestSupport

/// A network namespace of a thread's own, with nothing but a loopback interface that is switched off.
enum NetworkNamespace {
  static let ipTool = ["/usr/sbin/ip", "/sbin/ip"].first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether namespaces can be made here: that takes root and iproute2.
  static let isAvailable: Bool = {
    guard ipTool != nil, geteuid() == 0 else { return false }
    let outcome = Outcome<Bool>()
    Thread.detachNewThread { outcome.set(.success(unshareNetwork())) }
    return (try? outcome.wait()) ?? false
  }()

  /// Runs `body` on a thread whose network is a new, empty one; threads that it starts are in there too.
  static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let outcome = Outcome<Value>()
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        outcome.set(
          Result {
            guard unshareNetwork() else { throw CocoaError(.featureUnsupported) }
            return try body()
          })
        continuation.resume(with: Result { try outcome.wait() })
      }
    }
  }

  /// Runs `ip` with these arguments in the calling thread's namespace.
  static func ip(_ arguments: String) throws {
    let child = try ChildProcess(ipTool ?? "", arguments.split(separator: " ").map(String.init))
    guard child.waitUntilExit() == 0 else { throw CocoaError(.executableLoad) }
  }

  /// Waits until `condition` holds; false after ten seconds, which only a broken build takes.
  static func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<2000 {
      if condition() { return true }
      usleep(5000)
    }
    return condition()
  }

  /// unshare(2) with CLONE_NEWNET, which the Glibc module leaves out.
  private static func unshareNetwork() -> Bool {
    guard let symbol = dlsym(nil, "unshare") else { return false }
    let unshare = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
    return unshare(0x4000_0000) == 0
  }

  private final class Outcome<Value: Sendable>: Sendable {
    private nonisolated(unsafe) var result: Result<Value, any Error>?
    // The semaphore orders the writing before the reading.
    private let isThere = DispatchSemaphore(value: 0)

    func set(_ result: Result<Value, any Error>) {
      self.result = result
      isThere.signal()
    }

    func wait() throws -> Value {
      isThere.wait()
      guard let result else { throw CocoaError(.featureUnsupported) }
      return try result.get()
    }
  }
}
