import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is read while it is sent. Its size is the one it had when it was opened.
// @unchecked: after its opening the position belongs to the transfer's loop thread alone; `sent` is atomic.
final class CurlFile: @unchecked Sendable {
  let size: Int
  private var descriptor: CInt
  private var position = 0
  private let sent = Atomic<Int>(0)

  /// Whether all of it was handed to libcurl.
  var isSent: Bool { sent.load(ordering: .relaxed) >= size }

  /// nil: no plain file that can be read.
  init?(path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      systemClose(descriptor)
      return nil
    }
    size = Int(status.st_size)
  }

  deinit {
    close()
  }

  /// The next bytes; nil: the file is shorter than it was, or cannot be read.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let wanted = min(buffer.count, size - position)
    guard wanted > 0, let base = buffer.baseAddress else { return 0 }
    while true {
      let count = pread(descriptor, base, wanted, off_t(position))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      position += count
      sent.store(position, ordering: .relaxed)
      return count
    }
  }

  func rewind(to offset: Int) -> Bool {
    guard offset >= 0, offset <= size else { return false }
    position = offset
    return true
  }

  func close() {
    if descriptor >= 0 { systemClose(descriptor) }
    descriptor = -1
  }
}

// The method above hides the system call's name.
@discardableResult
private func systemClose(_ descriptor: CInt) -> CInt {
  close(descriptor)
}
