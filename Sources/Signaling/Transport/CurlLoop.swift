import CCurl
import Synchronization
import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The thread that libcurl's multi handle runs on. Started by the first request; ends when it is stopped.
///
/// Others speak to it by commands; libcurl's wake-up ends its wait. Connections are kept between requests.
final class CurlLoop: Sendable {
  private enum Command {
    case add(CurlTransfer)
    case resume(CurlTransfer)
    case cancel(CurlTransfer)
  }

  private struct State {
    var commands: [Command] = []
    var isStopping = false
    var isRunning = false
    /// Valid while the thread runs, for waking it only.
    var multi: MultiHandle?
  }

  // Waking a multi handle is the one thing that libcurl allows from other threads.
  private struct MultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
  }

  private let state = Mutex(State())
  private let trust: HTTPTrust

  init(trust: HTTPTrust) {
    self.trust = trust
  }

  private static let isLibraryReady: Bool = curl_global_init(reactor_curl_global_all()) == CURLE_OK

  func add(_ transfer: CurlTransfer) {
    let isTaken = state.withLock { state -> Bool in
      guard !state.isStopping, ensureRunning(&state) else { return false }
      state.commands.append(.add(transfer))
      wake(state)
      return true
    }
    if !isTaken { transfer.end(.closed) }
  }

  func resume(_ transfer: CurlTransfer) { post(.resume(transfer)) }

  func cancel(_ transfer: CurlTransfer) { post(.cancel(transfer)) }

  /// Ends the thread; requests that run fail.
  func stop() {
    state.withLock { state in
      state.isStopping = true
      wake(state)
    }
  }

  private func post(_ command: Command) {
    state.withLock { state in
      guard state.isRunning else { return }
      state.commands.append(command)
      wake(state)
    }
  }

  private func wake(_ state: State) {
    if let multi = state.multi { curl_multi_wakeup(multi.pointer) }
  }

  private func ensureRunning(_ state: inout State) -> Bool {
    if state.isRunning { return true }
    guard CurlLoop.isLibraryReady, let multi = curl_multi_init() else { return false }
    // Enough for a session's parallel calls; idle ones beyond it are closed.
    reactor_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 8)
    state.multi = MultiHandle(pointer: multi)
    state.isRunning = true
    var thread = noThread()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 512 << 10)
    defer { pthread_attr_destroy(&attributes) }
    let context = Unmanaged.passRetained(self)
    let failed = pthread_create(&thread, &attributes, CurlLoop.entry, context.toOpaque()) != 0
    if failed {
      context.release()
      curl_multi_cleanup(multi)
      state.multi = nil
      state.isRunning = false
    }
    return !failed
  }

  #if canImport(Darwin)
    private static let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
      context in
      Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }
    private func noThread() -> pthread_t? { nil }
  #else
    private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
      context in
      guard let context else { return nil }
      Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }
    private func noThread() -> pthread_t { pthread_t() }
  #endif

  // MARK: The thread

  private func run() {
    guard let multi = state.withLock({ $0.multi })?.pointer else { return }
    // A server that closes while a request is written must not end the process.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)

    var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    var sharesConnections = true
    while true {
      let (commands, isStopping) = state.withLock { state in
        defer { state.commands = [] }
        return (state.commands, state.isStopping)
      }
      for command in commands { carryOut(command, multi, &transfers) }
      if isStopping { break }
      share(multi, transfers, &sharesConnections)
      var running: CInt = 0
      curl_multi_perform(multi, &running)
      collect(multi, &transfers)
      expire(multi, &transfers)
      curl_multi_poll(multi, nil, 0, waitTime(transfers), nil)
    }
    for transfer in transfers.values { end(transfer, .closed, multi) }
    let late = state.withLock { state in
      state.multi = nil
      state.isRunning = false
      defer { state.commands = [] }
      return state.commands
    }
    for case .add(let transfer) in late { transfer.end(.closed) }
    curl_multi_cleanup(multi)
  }

  private func carryOut(
    _ command: Command, _ multi: UnsafeMutableRawPointer,
    _ transfers: inout [UnsafeMutableRawPointer: CurlTransfer]
  ) {
    switch command {
    case .add(let transfer):
      let now = MonotonicClock.now()
      transfer.markStarted(at: now)
      guard let handle = transfer.start(trust: trust, at: now) else {
        transfer.end(.unsupportedURL)
        return
      }
      transfers[handle] = transfer
      if curl_multi_add_handle(multi, handle) != CURLM_OK {
        transfers[handle] = nil
        transfer.end(.other("the request cannot be started"))
      }
    case .resume(let transfer):
      guard let handle = transfer.handle else { return }
      transfer.resumed(at: MonotonicClock.now())
      curl_easy_pause(handle, CURLPAUSE_CONT)
    case .cancel(let transfer):
      guard let handle = transfer.handle else { return }
      transfers[handle] = nil
      end(transfer, .cancelled, multi)
    }
  }

  /// While a reader holds its body back, no request joins its HTTP/2 connection: to read the answer, libcurl would
  /// take in all of the held body that its window lets come, 32 MiB, and copy it each time the reader goes on.
  private func share(
    _ multi: UnsafeMutableRawPointer, _ transfers: [UnsafeMutableRawPointer: CurlTransfer],
    _ sharesConnections: inout Bool
  ) {
    let mayShare = !transfers.values.contains(where: \.isPaused)
    guard mayShare != sharesConnections else { return }
    sharesConnections = mayShare
    // 100 is libcurl's own default.
    reactor_curl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, mayShare ? 100 : 1)
  }

  private func collect(
    _ multi: UnsafeMutableRawPointer, _ transfers: inout [UnsafeMutableRawPointer: CurlTransfer]
  ) {
    var left: CInt = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
        let transfer = transfers.removeValue(forKey: handle)
      else { continue }
      end(transfer, transfer.result(reactor_curl_message_result(message)), multi)
    }
  }

  private func expire(
    _ multi: UnsafeMutableRawPointer, _ transfers: inout [UnsafeMutableRawPointer: CurlTransfer]
  ) {
    let now = MonotonicClock.now()
    for (handle, transfer) in transfers {
      guard let deadline = transfer.deadline, deadline <= now else { continue }
      transfers[handle] = nil
      end(transfer, transfer.expire(), multi)
    }
  }

  private func end(_ transfer: CurlTransfer, _ failure: TransportFailure?, _ multi: UnsafeMutableRawPointer) {
    if let handle = transfer.handle { curl_multi_remove_handle(multi, handle) }
    transfer.end(failure)
  }

  // libcurl shortens the wait by its own timers. Without a request there is nothing to wait for but a command.
  private func waitTime(_ transfers: [UnsafeMutableRawPointer: CurlTransfer]) -> CInt {
    guard let first = transfers.values.compactMap(\.deadline).min() else { return 600_000 }
    let wait = first - MonotonicClock.now()
    // Rounded up: a wait cut down to 0 ms would spin until the deadline.
    return CInt(min(600_000, max(0, wait.wholeMilliseconds + 1)))
  }
}
