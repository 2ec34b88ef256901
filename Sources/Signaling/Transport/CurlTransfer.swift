import CCurl
import ReactorTypes
import Synchronization
import WireFormat

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

/// One request on its way through libcurl.
///
/// Two sides meet here: the loop's thread, which owns the libcurl handle and all that is marked so, and the task
/// that reads the answer. What both touch lies in `shared`.
// @unchecked: the unguarded variables below belong to the loop's thread alone, from `start` to `end`; the reader's
// side only touches `shared`.
final class CurlTransfer: @unchecked Sendable {
  /// Body bytes that wait for the reader before libcurl is told to stop.
  static let highWater = 64 << 10
  /// The longest head of an answer.
  static let maxHead = 64 << 10

  typealias Head = (HTTPResponse, StreamScope<Data>)

  private struct Shared {
    var headWaiter: CheckedContinuation<HTTPResponse, any Error>?
    var head: HTTPResponse?
    var bodyWaiter: CheckedContinuation<Data?, any Error>?
    var buffer: [UInt8] = []
    var isPaused = false
    /// Set once: nil for a whole answer.
    var end: TransportFailure??
    /// The reader wants no more.
    var isDiscarded = false
    /// Nobody wants the body, but its end keeps the connection usable: how much more is worth reading.
    var drainLeft: Int?
  }

  private let shared = Mutex(Shared())
  let request: HTTPRequest
  let file: CurlFile?
  let timeout: Interval
  private let bodyIdleLimit: Interval

  // The loop's thread only.
  private(set) var handle: UnsafeMutableRawPointer?
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var body: UnsafeMutableBufferPointer<UInt8>?
  private var status = 0
  private var fields: [String: String] = [:]
  private var headBytes = 0
  private var isHeadDone = false
  private var lastMove = Instant.origin
  private var failure: TransportFailure?

  init(request: HTTPRequest, file: CurlFile?, timeout: Interval, bodyIdleLimit: Interval) {
    self.request = request
    self.file = file
    self.timeout = timeout
    self.bodyIdleLimit = bodyIdleLimit
  }

  // MARK: Reader's side

  /// The head, once it is there.
  func head(start: () -> Void, cancel: @escaping @Sendable () -> Void) async throws -> HTTPResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        shared.withLock { $0.headWaiter = continuation }
        start()
        // The handler may have run before there was anything to cancel.
        if Task.isCancelled { cancel() }
      }
    } onCancel: {
      cancel()
    }
  }

  /// The next piece of the body: all that has arrived.
  func nextChunk(
    resume: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void
  ) async throws -> Data? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Data?, any Error>) in
        let (result, mustResume) = shared.withLock { shared -> (Result<Data?, any Error>?, Bool) in
          if !shared.buffer.isEmpty {
            let data = Data(shared.buffer)
            shared.buffer.removeAll(keepingCapacity: true)
            defer { shared.isPaused = false }
            return (.success(data), shared.isPaused)
          }
          if let end = shared.end {
            if let failure = end { return (.failure(failure), false) }
            return (.success(nil), false)
          }
          shared.bodyWaiter = continuation
          return (nil, false)
        }
        if mustResume { resume() }
        if let result { continuation.resume(with: result) } else if Task.isCancelled { cancel() }
      }
    } onCancel: {
      cancel()
    }
  }

  /// The reader wants no more: what arrives from now on is thrown away.
  func discard() {
    let waiter = shared.withLock { shared in
      shared.isDiscarded = true
      shared.buffer = []
      defer { shared.bodyWaiter = nil }
      return shared.bodyWaiter
    }
    waiter?.resume(returning: nil)
  }

  /// Reads the rest of a short body for nobody, so that the connection can be used again.
  func drain() {
    shared.withLock { shared in
      shared.buffer = []
      shared.drainLeft = CurlTransfer.highWater
    }
  }

  // MARK: Loop's side

  /// Makes the libcurl handle. nil: it could not be made.
  func start(trust: HTTPTrust, at now: Instant) -> UnsafeMutableRawPointer? {
    lastMove = now
    guard let handle = curl_easy_init() else { return nil }
    self.handle = handle
    let isSet = CurlOptions(handle: handle).apply(
      self, trust: trust, context: Unmanaged.passUnretained(self).toOpaque())
    guard isSet else { return nil }
    return handle
  }

  /// The headers as libcurl wants them; kept until the end.
  func makeHeaderList() -> UnsafeMutablePointer<curl_slist>? {
    var lines = request.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let names = Set(request.headers.keys.map { $0.lowercased() })
    // libcurl's own ideas of what a body is and that a server must be asked first.
    if !names.contains("content-type") { lines.append("Content-Type:") }
    lines.append("Expect:")
    for line in lines {
      guard let longer = curl_slist_append(headerList, line) else { return nil }
      headerList = longer
    }
    return headerList
  }

  /// The body where libcurl can read it; kept until the end.
  func makeBody() -> UnsafeMutableBufferPointer<UInt8>? {
    guard let data = request.body else { return nil }
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, data.count))
    _ = copy.initialize(from: data)
    body = copy
    return UnsafeMutableBufferPointer(rebasing: copy[..<data.count])
  }

  func received(header: UnsafeRawBufferPointer, at now: Instant) -> Int {
    lastMove = now
    headBytes += header.count
    guard headBytes <= CurlTransfer.maxHead else {
      failure = .headTooLarge(limit: CurlTransfer.maxHead)
      return 0
    }
    var line = header[...]
    while let last = line.last, last == 0x0A || last == 0x0D { line = line.dropLast() }
    if line.isEmpty {
      finishHead()
    } else if line.starts(with: "HTTP/".utf8) {
      // A new head: an interim answer, or a proxy's, came before it.
      fields = [:]
      let words = line.split(separator: 0x20, maxSplits: 2)
      status = words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      var value = line[line.index(after: colon)...]
      while let first = value.first, first == 0x20 || first == 0x09 { value = value.dropFirst() }
      while let last = value.last, last == 0x20 || last == 0x09 { value = value.dropLast() }
      let text = String(decoding: value, as: UTF8.self)
      fields[name] = fields[name].map { "\($0), \(text)" } ?? text
    }
    return header.count
  }

  private func finishHead() {
    guard status >= 200, !isHeadDone else { return }
    isHeadDone = true
    let head = HTTPResponse(status: status, headers: fields)
    let waiter = shared.withLock { shared in
      shared.head = head
      defer { shared.headWaiter = nil }
      return shared.headWaiter
    }
    waiter?.resume(returning: head)
  }

  func received(body bytes: UnsafeRawBufferPointer, at now: Instant) -> Int {
    lastMove = now
    let (verdict, waiter) = shared.withLock {
      shared -> (Int, (CheckedContinuation<Data?, any Error>, Data)?) in
      if shared.isDiscarded { return (0, nil) }
      if let left = shared.drainLeft {
        shared.drainLeft = left - bytes.count
        return (left >= bytes.count ? bytes.count : 0, nil)
      }
      if let waiter = shared.bodyWaiter {
        shared.bodyWaiter = nil
        return (bytes.count, (waiter, Data(bytes)))
      }
      guard shared.buffer.count < CurlTransfer.highWater else {
        shared.isPaused = true
        return (reactor_curl_write_pause(), nil)
      }
      shared.buffer.append(contentsOf: bytes)
      return (bytes.count, nil)
    }
    if let (continuation, data) = waiter { continuation.resume(returning: data) }
    return verdict
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at now: Instant) -> Int {
    guard let file else { return 0 }
    guard let count = file.read(into: buffer) else {
      failure = .fileUnreadable
      return reactor_curl_read_abort()
    }
    lastMove = now
    return count
  }

  /// Whether its reader is what it waits for.
  var isPaused: Bool { shared.withLock { $0.isPaused } }

  /// When the transfer has stood still for too long; nil while its reader is what it waits for.
  var deadline: Instant? {
    if !isHeadDone { return lastMoveBeforeHead + timeout }
    if isPaused { return nil }
    return lastMove + bodyIdleLimit
  }

  // Up to the head the limit counts from the start; only the pieces of a sent file push it on.
  private var lastMoveBeforeHead: Instant { file == nil ? startedAt : lastMove }
  private var startedAt = Instant.origin

  /// The reader took bytes: the body's idle time starts anew.
  func resumed(at now: Instant) {
    lastMove = now
  }

  func markStarted(at now: Instant) {
    startedAt = now
    lastMove = now
  }

  func expire() -> TransportFailure {
    isHeadDone ? .bodyStalled : .timedOut(sent: hasSent)
  }

  private var hasSent: Bool {
    guard let handle else { return false }
    var size = 0
    reactor_curl_get_long(handle, CURLINFO_REQUEST_SIZE, &size)
    return size > 0
  }

  /// How libcurl's own result reads here.
  func result(_ code: CURLcode) -> TransportFailure? {
    if let failure { return failure }
    switch code {
    case CURLE_OK: return isHeadDone ? nil : .connectionLost(sent: true)
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return .nameNotResolved
    case CURLE_COULDNT_CONNECT: return .connectionRefused
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
      return .tls(String(cString: curl_easy_strerror(code)))
    case CURLE_OPERATION_TIMEDOUT: return .timedOut(sent: hasSent)
    case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2,
      CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND:
      return .connectionLost(sent: hasSent)
    // libcurl says the same of an answer that is no HTTP, which only comes after something was sent.
    case CURLE_UNSUPPORTED_PROTOCOL where hasSent: return .connectionLost(sent: true)
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: return .unsupportedURL
    default: return .other(String(cString: curl_easy_strerror(code)))
    }
  }

  /// Frees what libcurl used, after it was told, and wakes the reader.
  func end(_ failure: TransportFailure?) {
    if let handle { curl_easy_cleanup(handle) }
    handle = nil
    if let headerList { curl_slist_free_all(headerList) }
    headerList = nil
    body?.deallocate()
    body = nil
    file?.close()
    let (headWaiter, bodyWaiter) = shared.withLock { shared in
      if shared.end == nil { shared.end = .some(failure) }
      defer {
        shared.headWaiter = nil
        shared.bodyWaiter = nil
      }
      return (shared.headWaiter, shared.bodyWaiter)
    }
    headWaiter?.resume(throwing: failure ?? TransportFailure.connectionLost(sent: true))
    if let failure { bodyWaiter?.resume(throwing: failure) } else { bodyWaiter?.resume(returning: nil) }
  }
}
