#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import ReactorTypes
import Synchronization

/// One reading of a download's segments. Has one reader at a time.
final class SegmentRun: Sendable {
  private struct State {
    var index = 0
    var current: StreamScope<Data>?
    var hasDelivered = false
    var hasRetried = false
    var isClosed = false
    /// Closed from outside, so that the reader must not take the end for the file's.
    var isAborted = false
  }

  private let urls: [URL]
  private let open: SegmentedDownload.Opener
  private let onSegment: @Sendable (Int) -> Void
  private let state = Mutex(State())

  init(urls: [URL], open: @escaping SegmentedDownload.Opener, onSegment: @escaping @Sendable (Int) -> Void) {
    self.urls = urls
    self.open = open
    self.onSegment = onSegment
  }

  func next() async throws -> Data? {
    while true {
      try check()
      guard let scope = try await segment() else { return nil }
      do {
        var iterator = scope.makeAsyncIterator()
        if let chunk = try await iterator.next() {
          try check()
          if chunk.isEmpty { continue }
          state.withLock { $0.hasDelivered = true }
          return chunk
        }
        // Cancellation and closing end a stream early, without an error.
        try check()
        onSegment(advance())
      } catch {
        try check()
        guard mayFetchAgain() else { throw SegmentRun.signalingError(error) }
      }
    }
  }

  /// Ends the run for its reader, who sees an error.
  func close() {
    let current = state.withLock { state in
      state.isAborted = true
      state.isClosed = true
      defer { state.current = nil }
      return state.current
    }
    current?.close()
  }

  /// The reader is done.
  func finish() {
    let current = state.withLock { state in
      state.isClosed = true
      defer { state.current = nil }
      return state.current
    }
    current?.close()
  }

  private func check() throws {
    if Task.isCancelled || state.withLock({ $0.isAborted }) {
      throw SignalingError(.fetchSegment, .cancelled)
    }
  }

  private func segment() async throws -> StreamScope<Data>? {
    let (current, index, isClosed) = state.withLock { ($0.current, $0.index, $0.isClosed) }
    if let current { return current }
    guard index < urls.count, !isClosed else { return nil }
    let scope = try await open(urls[index])
    let isKept = state.withLock { state in
      if state.isClosed { return false }
      state.current = scope
      return true
    }
    if !isKept {
      scope.close()
      try check()
      return nil
    }
    return scope
  }

  private func advance() -> Int {
    state.withLock { state in
      state.current = nil
      state.index += 1
      state.hasDelivered = false
      state.hasRetried = false
      return state.index
    }
  }

  // A stream never replays: a broken segment is fetched again, once, only if nothing of it was delivered.
  private func mayFetchAgain() -> Bool {
    state.withLock { state in
      state.current = nil
      guard !state.hasDelivered, !state.hasRetried else { return false }
      state.hasRetried = true
      return true
    }
  }

  private static func signalingError(_ error: any Error) -> SignalingError {
    switch error {
    case let error as SignalingError: error
    case let failure as TransportFailure:
      SignalingError(.fetchSegment, .network(Redaction.redact(failure.text)))
    case is CancellationError: SignalingError(.fetchSegment, .cancelled)
    case let error as ReactorError: SignalingError(.fetchSegment, .passed(error))
    default: SignalingError(.fetchSegment, .network(Redaction.redact("\(error)")))
    }
  }
}
