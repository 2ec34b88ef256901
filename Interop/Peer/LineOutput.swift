import Foundation
import ReactorTypes
import Synchronization

/// Standard output, a JSON object a line, from any thread.
final class LineOutput: Sendable {
  private let lock = Mutex(())

  func write(_ value: JSONValue) {
    guard var bytes = try? value.jsonBytes() else { return }
    bytes.append(UInt8(ascii: "\n"))
    // A driver that is gone reads no more: its end is the end of standard input too.
    lock.withLock { _ in try? FileHandle.standardOutput.write(contentsOf: Data(bytes)) }
  }
}
