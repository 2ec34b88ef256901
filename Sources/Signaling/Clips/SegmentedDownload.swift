#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import ReactorTypes
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A recording that is ready: its segments, one after the other, as one stream of bytes.
///
/// One chunk (64 KiB and a little) is in memory at a time; the reader holds the server back.
package final class SegmentedDownload: Sendable {
  typealias Opener = @Sendable (URL) async throws(SignalingError) -> StreamScope<Data>

  private struct State {
    var isClosed = false
    var running: [UInt64: @Sendable () -> Void] = [:]
    var nextID: UInt64 = 0
  }

  private let urls: [URL]
  private let open: Opener
  private let state = Mutex(State())

  init(segments: [URL], open: @escaping Opener) {
    urls = segments
    self.open = open
  }

  /// How many segments there are, the init segment included.
  package var segments: Int { urls.count }
  /// What the bytes are.
  package var contentType: String { "video/mp4" }

  /// The bytes from the start. Each call fetches them anew.
  ///
  /// - Parameter onSegment: called after each segment with how many are done.
  package func chunks(onSegment: @escaping @Sendable (Int) -> Void = { _ in }) -> StreamScope<Data> {
    let run = SegmentRun(urls: urls, open: open, onSegment: onSegment)
    let id = state.withLock { state -> UInt64? in
      if state.isClosed { return nil }
      state.nextID += 1
      state.running[state.nextID] = { run.close() }
      return state.nextID
    }
    if id == nil { run.close() }
    return StreamScope(
      next: { try await run.next() },
      onClose: { [weak self] in
        run.finish()
        if let self, let id { self.state.withLock { $0.running[id] = nil } }
      })
  }

  /// All bytes, when they are no more than `maxBytes`; nothing is returned otherwise.
  package func readAll(maxBytes: Int) async throws -> Data {
    var all = Data()
    let chunks = chunks()
    defer { chunks.close() }
    for try await chunk in chunks {
      guard chunk.count <= maxBytes - all.count else {
        throw SignalingError(.fetchSegment, .tooLarge(limit: maxBytes))
      }
      all.append(chunk)
    }
    return all
  }

  /// Hands each chunk to `sink`, which holds the download back while it works.
  ///
  /// - Returns: how many bytes there were.
  package func copy(
    onSegment: @escaping @Sendable (Int) -> Void = { _ in }, to sink: @Sendable (Data) async throws -> Void
  ) async throws -> Int {
    var count = 0
    let chunks = chunks(onSegment: onSegment)
    defer { chunks.close() }
    for try await chunk in chunks {
      try await sink(chunk)
      count += chunk.count
    }
    return count
  }

  /// Writes the file at `path`: beside it first, and over it once it is whole.
  ///
  /// The file is opened before anything is fetched. Whatever fails, no partial file is left.
  package func write(
    to path: String, progress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) async throws -> Int {
    var generator = SystemRandomNumberGenerator()
    let temporary = "\(path).\(String(generator.next(), radix: 16)).part"
    let descriptor = creat(temporary)
    guard descriptor >= 0 else {
      throw SignalingError(
        .fetchSegment, .refused("the file cannot be written: \(String(cString: strerror(errno)))"))
    }
    let file = OpenFile(descriptor: descriptor)
    do {
      let total = segments
      let count = try await copy(onSegment: { progress?(DownloadProgress(done: $0, total: total)) }) {
        chunk in
        try file.write(chunk)
      }
      // All may have been here already when the caller was cancelled, from `progress` say.
      try Task.checkCancellation()
      guard file.close(), rename(temporary, path) == 0 else { throw OpenFile.failure() }
      return count
    } catch {
      _ = file.close()
      unlink(temporary)
      throw error
    }
  }

  /// Ends all that reads. Idempotent.
  package func close() {
    let running = state.withLock { state in
      state.isClosed = true
      defer { state.running = [:] }
      return Array(state.running.values)
    }
    for close in running { close() }
  }

  private func creat(_ path: String) -> CInt {
    // Umask applies, as to any file that the user creates.
    Self.openForWriting(path)
  }

  private static func openForWriting(_ path: String) -> CInt {
    #if canImport(Darwin)
      Darwin.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    #elseif canImport(Glibc)
      Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    #else
      Musl.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    #endif
  }
}

/// A descriptor that is closed once.
private final class OpenFile: Sendable {
  private let descriptor: Mutex<CInt>

  init(descriptor: CInt) {
    self.descriptor = Mutex(descriptor)
  }

  static func failure() -> SignalingError {
    SignalingError(.fetchSegment, .refused("the file cannot be written: \(String(cString: strerror(errno)))"))
  }

  func write(_ data: Data) throws {
    let descriptor = descriptor.withLock { $0 }
    try data.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count, let base = bytes.baseAddress {
        let count = systemWrite(descriptor, base + sent, bytes.count - sent)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw OpenFile.failure() }
        sent += count
      }
    }
  }

  func close() -> Bool {
    descriptor.withLock { descriptor in
      guard descriptor >= 0 else { return true }
      defer { descriptor = -1 }
      return systemClose(descriptor) == 0
    }
  }
}

// Methods of the same names hide these.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

private func systemClose(_ descriptor: CInt) -> CInt {
  close(descriptor)
}
