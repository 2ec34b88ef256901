#if canImport(Glibc)
  import Glibc

  /// Processor seconds that each of the process's threads has used, summed by thread name.
  func threadTimes() -> [String: Double] {
    var result: [String: Double] = [:]
    guard let tasks = opendir("/proc/self/task") else { return result }
    defer { closedir(tasks) }
    while let entry = readdir(tasks) {
      let task = withUnsafePointer(to: entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard Int(task) != nil, let name = firstLine("/proc/self/task/\(task)/comm"),
        let time = firstLine("/proc/self/task/\(task)/schedstat"),
        let nanoseconds = time.split(separator: " ").first.flatMap({ Double($0) })
      else { continue }
      result[name, default: 0] += nanoseconds / 1e9
    }
    return result
  }

  private func firstLine(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 256)
    let count = fread(&line, 1, line.count, file)
    return String(decoding: line.prefix(count).prefix { $0 != 10 }, as: UTF8.self)
  }
#else
  /// Only Linux tells.
  func threadTimes() -> [String: Double] { [:] }
#endif
