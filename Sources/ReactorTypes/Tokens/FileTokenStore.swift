#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Synchronization

/// Keeps one token in a file that only its owner can read (mode 0600). For Linux, which has no keychain.
///
/// A change is written beside the file and renamed over it, so that readers see the old token or the new one.
/// The store never follows a symbolic link, and refuses a file that others could read.
public final class FileTokenStore: TokenStore {
  // Longer than any token; a file beyond it is not one.
  private static let maxBytes = 64 << 10
  private let path: String
  // Writers of this process take turns; between processes the rename decides.
  private let writing = Mutex<Void>(())

  /// A store on the file at `url`, which need not exist yet; its folder must.
  public init(url: URL) {
    path = url.path
  }

  /// Replaces the token; nil removes the file.
  public final func set(_ token: String?) throws {
    try writing.withLock { _ in try store(token) }
  }

  /// The token in the file; nil when there is no file or nothing in it.
  public final func token(for context: TokenContext) async throws -> String? {
    try load()
  }

  /// Removes the file, unless it holds another token by now.
  public final func invalidate(_ token: String, for context: TokenContext) async {
    writing.withLock { _ in
      if (try? load()) == token { unlink(path) }
    }
  }

  private func load() throws -> String? {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw failure("cannot be opened")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("cannot be read") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw refusal("is not a plain file") }
    guard status.st_mode & 0o077 == 0 else { throw refusal("can be read by others: set its mode to 0600") }
    var bytes = [UInt8](repeating: 0, count: FileTokenStore.maxBytes + 1)
    var count = 0
    while count < bytes.count {
      let room = bytes.count - count
      let got = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress.map { $0 + count }, room)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw failure("cannot be read") }
      if got == 0 { break }
      count += got
    }
    guard count <= FileTokenStore.maxBytes else { throw refusal("is too long to hold a token") }
    guard let text = String(validating: bytes[..<count], as: UTF8.self) else {
      throw refusal("does not hold text")
    }
    let token = text.drop(while: \.isWhitespace)
    let trimmed = String(token.reversed().drop(while: \.isWhitespace).reversed())
    return trimmed.isEmpty ? nil : trimmed
  }

  private func store(_ token: String?) throws {
    guard let token else {
      if unlink(path) != 0, errno != ENOENT { throw failure("cannot be removed") }
      return
    }
    var generator = SystemRandomNumberGenerator()
    let temporary = "\(path).\(String(generator.next(), radix: 16)).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("cannot be written") }
    var isWritten = fchmod(descriptor, 0o600) == 0 && write(Array(token.utf8), to: descriptor)
    isWritten = fsync(descriptor) == 0 && isWritten
    isWritten = close(descriptor) == 0 && isWritten
    guard isWritten, rename(temporary, path) == 0 else {
      let error = failure("cannot be written")
      unlink(temporary)
      throw error
    }
  }

  private func write(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private func failure(_ what: String) -> ReactorError {
    ReactorError(.internalError, "The token file \(path) \(what): \(String(cString: strerror(errno)))")
  }

  private func refusal(_ what: String) -> ReactorError {
    ReactorError(.badRequest, "The token file \(path) \(what)")
  }
}

// The method above hides the system call's name.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  guard let bytes else { return 0 }
  return write(descriptor, bytes, count)
}
