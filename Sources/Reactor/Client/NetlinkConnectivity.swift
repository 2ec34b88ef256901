#if os(Linux)
  import PeerConnection
  import ReactorTypes
  import Synchronization

  /// Tells from the kernel's links, addresses and routes whether there is a way out of this machine (netlink).
  ///
  /// Online means: some link that is up, other than loopback, has an address and a route. Whether the Internet
  /// answers cannot be known from that. Not for clients of a runtime on this very machine, which need no network:
  /// leave ``ReactorConfiguration/connectivity`` nil there. Releasing it ends its thread.
  public final class NetlinkConnectivity: ConnectivityMonitor {
    private let state: State
    private let watcher: NetworkPathWatcher

    /// Begins to watch. Online is assumed until the kernel has answered, some milliseconds later.
    ///
    /// Throws ``ReactorError/internalError`` where the system has no netlink (some containers forbid it).
    public init() throws {
      let state = State()
      self.state = state
      guard let watcher = NetworkPathWatcher(onChange: { paths in state.set(paths.isOnline) }) else {
        throw ReactorError(.internalError, "the kernel gives no netlink socket", operation: "create")
      }
      self.watcher = watcher
    }

    deinit {
      state.finish()
    }

    /// Whether there is a way out now.
    public var isOnline: Bool { state.isOnline }

    /// Each change of ``isOnline``; keeps the newest two.
    public var changes: AsyncStream<Bool> { state.changes() }

    private final class State: Sendable {
      private struct Values {
        var isOnline = true
        var listeners: [UInt64: AsyncStream<Bool>.Continuation] = [:]
        var nextID: UInt64 = 0
      }

      private let values = Mutex(Values())

      var isOnline: Bool { values.withLock { $0.isOnline } }

      func set(_ isOnline: Bool) {
        let listeners = values.withLock { values -> [AsyncStream<Bool>.Continuation] in
          guard values.isOnline != isOnline else { return [] }
          values.isOnline = isOnline
          return Array(values.listeners.values)
        }
        for listener in listeners { listener.yield(isOnline) }
      }

      func changes() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(
          of: Bool.self, bufferingPolicy: .bufferingNewest(2))
        let id = values.withLock { values in
          values.nextID += 1
          values.listeners[values.nextID] = continuation
          return values.nextID
        }
        continuation.onTermination = { [weak self] _ in
          _ = self?.values.withLock { $0.listeners.removeValue(forKey: id) }
        }
        return stream
      }

      func finish() {
        let listeners = values.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.finish() }
      }
    }
  }
#endif
