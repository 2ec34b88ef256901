import Foundation
import ReactorTypes
import Synchronization

/// Standard output, a JSON object a line, from any thread.
final class LineOutput: Sendable {
  private let lock = Mutex(())

  func write(_ value: JSONValue) {
    guard var bytes = try? value.jsonBytes() else { return }
    bytes.append(UInt8(ascii: "\n"))
    lock.withLock { _ in FileHandle.standardOutput.write(Data(bytes)) }
  }
}
