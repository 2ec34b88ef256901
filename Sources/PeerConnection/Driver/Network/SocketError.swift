#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A system call that failed, with the system's own words.
package struct SocketError: Error, Hashable, Sendable, CustomStringConvertible {
  package let operation: String
  package let code: Int32

  package init(operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  package var description: String {
    "\(operation): \(String(cString: strerror(code))) (\(code))"
  }

  /// The descriptor, or the error that a negative result stands for.
  static func check(_ result: Int32, _ operation: String) throws(SocketError) -> Int32 {
    guard result >= 0 else { throw SocketError(operation: operation, code: -result) }
    return result
  }
}
