import Foundation
import ReactorTypes

/// What this program holds, from /proc.
enum ProcessFigures {
  static func current() throws -> JSONValue {
    let files = FileManager.default
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    guard pages.count > 1, let resident = Int(pages[1]) else { throw CallError("/proc/self/statm is odd") }
    return [
      "rss": .number(Double(resident * sysconf(Int32(_SC_PAGESIZE)))),
      "descriptors": .number(Double(try files.contentsOfDirectory(atPath: "/proc/self/fd").count)),
      "threads": .number(Double(try files.contentsOfDirectory(atPath: "/proc/self/task").count)),
    ]
  }
}
