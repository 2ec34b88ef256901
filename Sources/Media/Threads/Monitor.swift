import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A value behind a lock, and threads that sleep until it is as they wish. `Mutex` of the standard library
/// has no condition variable, and the thread sanitizer does not see into it; this is the one place that uses
/// the system's.
///
/// `@unchecked Sendable`: `state` is touched only between lock and unlock of `mutex`, in `withLock` and
/// `wait`; the two C objects are made for sharing and live in memory of their own, which does not move.
package final class Monitor<State: Sendable>: @unchecked Sendable {
  /// What a waiting thread finds when it looks at the state.
  package enum Outcome<Result> {
    /// What it waited for is there.
    case done(Result)
    /// Nothing yet: look again when notified, or at this moment (`distantFuture`: only when notified).
    case sleep(until: Instant)
  }

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  package init(_ initial: State) {
    state = initial
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` with the state to itself. Must not call back into this monitor.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Sleeps until `body`, which is called with the state to itself, says that it is done.
  package func wait<Result>(_ body: (inout State) -> Outcome<Result>) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      switch body(&state) {
      case .done(let result): return result
      case .sleep(until: .distantFuture): pthread_cond_wait(condition, mutex)
      case .sleep(let deadline): sleep(until: deadline)
      }
    }
  }

  /// Wakes one thread that waits. Cheaper after the lock was given back.
  package func notifyOne() { pthread_cond_signal(condition) }

  /// Wakes all threads that wait.
  package func notifyAll() { pthread_cond_broadcast(condition) }

  private func sleep(until deadline: Instant) {
    #if canImport(Darwin)
      let left = max(0, (deadline - MonotonicClock.now()).nanoseconds)
      var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
      pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
      let moment = max(0, deadline.nanoseconds)
      var time = timespec(
        tv_sec: time_t(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
      pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }
}
