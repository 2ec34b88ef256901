import CSockets
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One operating-system thread with a name and an end that can be waited for.
package final class WorkerThread: Sendable {
  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void
    let identity: Identity

    init(name: String, body: @escaping @Sendable () -> Void, identity: Identity) {
      self.name = name
      self.body = body
      self.identity = identity
    }
  }

  /// Which thread runs the body; 0 until it does.
  private final class Identity: Sendable {
    let number = Atomic<UInt>(0)
  }

  #if canImport(Darwin)
    private typealias Handle = pthread_t?
  #else
    private typealias Handle = pthread_t
  #endif

  private enum Ending {
    case running(UInt)
    case over
  }

  private let identity = Identity()
  private let ending: Mutex<Ending>
  /// False when the system had no thread to give (a process limit): the body will not run.
  package let hasStarted: Bool

  /// Starts the thread. libvpx's functions want some stack: 2 MiB.
  ///
  /// - Parameter name: at most 15 characters are shown (Linux).
  package init(name: String, body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 2 << 20)
    defer { pthread_attr_destroy(&attributes) }
    let start = Unmanaged.passRetained(Start(name: name, body: body, identity: identity))
    #if canImport(Darwin)
      var handle: pthread_t?
      let status = pthread_create(&handle, &attributes, { WorkerThread.enter($0) }, start.toOpaque())
    #else
      var handle = pthread_t()
      let status = pthread_create(&handle, &attributes, { WorkerThread.enter($0) }, start.toOpaque())
    #endif
    hasStarted = status == 0
    if hasStarted {
      ending = Mutex(.running(Self.number(handle)))
    } else {
      start.release()
      ending = Mutex(.over)
    }
  }

  deinit {
    ending.withLock { ending in
      if case .running(let number) = ending { pthread_detach(Self.handle(number)) }
    }
  }

  /// Whether the caller runs on this thread.
  package var isCurrent: Bool {
    identity.number.load(ordering: .acquiring) == Self.number(pthread_self())
  }

  /// Waits until the body has returned; any number of callers may. On the thread itself: lets go of it.
  package func join() {
    let isCurrent = isCurrent
    ending.withLock { ending in
      guard case .running(let number) = ending else { return }
      if isCurrent {
        pthread_detach(Self.handle(number))
      } else {
        pthread_join(Self.handle(number), nil)
      }
      ending = .over
    }
  }

  #if canImport(Darwin)
    private static func enter(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      run(argument)
      return nil
    }
    private static func number(_ handle: Handle) -> UInt { UInt(bitPattern: handle) }
    private static func handle(_ number: UInt) -> pthread_t { unsafeBitCast(number, to: pthread_t.self) }
  #else
    private static func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      if let argument { run(argument) }
      return nil
    }
    private static func number(_ handle: Handle) -> UInt { UInt(handle) }
    private static func handle(_ number: UInt) -> pthread_t { pthread_t(number) }
  #endif

  private static func run(_ argument: UnsafeMutableRawPointer) {
    let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    start.identity.number.store(number(pthread_self()), ordering: .releasing)
    reactor_thread_set_name(start.name)
    start.body()
    // A later thread may get the same number: this one is no longer it.
    start.identity.number.store(0, ordering: .releasing)
  }
}
