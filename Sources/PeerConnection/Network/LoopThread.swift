import CSockets
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One thread of the system with a name, which can be joined once from any other.
final class LoopThread: Sendable {
  private struct State {
    var handle: pthread_t?
    var isJoined = false
  }

  private final class Body {
    let name: String
    let run: () -> Void

    init(name: String, run: @escaping () -> Void) {
      self.name = name
      self.run = run
    }
  }

  private let name: String
  private let state = Mutex(State())

  init(name: String) {
    self.name = name
  }

  func start(_ run: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(Body(name: name, run: run))
    state.withLock { state in
      #if canImport(Darwin)
        var handle: pthread_t?
      #else
        var handle = pthread_t()
      #endif
      let result = pthread_create(&handle, nil, { LoopThread.enter($0) }, body.toOpaque())
      precondition(result == 0, "the system refused a thread: \(result)")
      state.handle = handle
    }
  }

  private static func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
    reactor_thread_set_name(body.name)
    body.run()
    return nil
  }

  var isCurrent: Bool {
    state.withLock { state in
      guard let handle = state.handle else { return false }
      return pthread_equal(handle, pthread_self()) != 0
    }
  }

  /// Waits for the end of the thread; does nothing the second time, or on the thread itself.
  func join() {
    let handle = state.withLock { state -> pthread_t? in
      guard !state.isJoined, let handle = state.handle, pthread_equal(handle, pthread_self()) == 0 else {
        return nil
      }
      state.isJoined = true
      return handle
    }
    if let handle { pthread_join(handle, nil) }
  }
}
