import CSockets
import Media
import Synchronization
import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The network thread: waits for sockets, timers and commands, and runs the members that live on it.
///
/// It is a serial executor as well, so that actors can be bound to it: whatever is isolated to such an actor
/// runs on this thread alone, and the compiler checks that nobody else touches it.
package final class NetworkLoop: SerialExecutor, Sendable {
  /// Commands that may wait; further `submit`s are refused, which the caller treats as its own overload.
  package static let commandLimit = 8192

  private struct Inbox {
    var jobs: [UnownedJob] = []
    var commands: [@Sendable () -> Void] = []
    var isSignalled = false
    var isStopping = false
  }

  private let inbox = Mutex(Inbox())
  private let wakeDescriptor: Int32
  private let thread = Mutex<WorkerThread?>(nil)
  // Touched by the loop's thread alone: `context` checks that.
  private nonisolated(unsafe) let loopContext: LoopContext

  /// Starts the thread.
  package init(name: String = "reactor-network") throws(SocketError) {
    wakeDescriptor = try SocketError.check(reactor_eventfd_create(), "eventfd")
    do {
      loopContext = try LoopContext(wakeDescriptor: wakeDescriptor)
    } catch {
      close(wakeDescriptor)
      throw error
    }
    // The lock is held until the thread is known, so that the thread itself finds it.
    thread.withLock { $0 = WorkerThread(name: name) { [self] in run() } }
  }

  deinit {
    close(wakeDescriptor)
  }

  /// What members register with. On the loop's thread only.
  package var context: LoopContext {
    precondition(isOnLoop, "the loop's context belongs to its thread")
    return loopContext
  }

  package var isOnLoop: Bool { thread.withLock { $0?.isCurrent ?? false } }

  /// Runs `command` on the loop's thread, in order. False when too many wait or the loop has stopped.
  @discardableResult
  package func submit(_ command: @escaping @Sendable () -> Void) -> Bool {
    let (accepted, mustSignal) = inbox.withLock { inbox -> (Bool, Bool) in
      guard !inbox.isStopping, inbox.commands.count < NetworkLoop.commandLimit else { return (false, false) }
      inbox.commands.append(command)
      defer { inbox.isSignalled = true }
      return (true, !inbox.isSignalled)
    }
    if mustSignal { _ = reactor_eventfd_signal(wakeDescriptor) }
    return accepted
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustSignal = inbox.withLock { inbox -> Bool in
      inbox.jobs.append(job)
      defer { inbox.isSignalled = true }
      return !inbox.isSignalled
    }
    if mustSignal { _ = reactor_eventfd_signal(wakeDescriptor) }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  package func checkIsolated() {
    precondition(isOnLoop, "not on the network thread")
  }

  /// Ends the thread once what waits has run, and waits for it unless called on it.
  package func stop() {
    let mustSignal = inbox.withLock { inbox -> Bool in
      inbox.isStopping = true
      defer { inbox.isSignalled = true }
      return !inbox.isSignalled
    }
    if mustSignal { _ = reactor_eventfd_signal(wakeDescriptor) }
    if !isOnLoop { thread.withLock { $0 }?.join() }
  }

  private func run() {
    // Swapped with the inbox's, so that both keep their memory.
    var jobs: [UnownedJob] = []
    var commands: [@Sendable () -> Void] = []
    while true {
      let isStopping = inbox.withLock { inbox in
        swap(&inbox.jobs, &jobs)
        swap(&inbox.commands, &commands)
        inbox.isSignalled = false
        return inbox.isStopping
      }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      for command in commands { command() }
      let isIdle = jobs.isEmpty && commands.isEmpty
      jobs.removeAll(keepingCapacity: true)
      commands.removeAll(keepingCapacity: true)
      loopContext.serviceMembers()
      if isIdle, isStopping { break }
      if isIdle { loopContext.wait() }
    }
    loopContext.removeAll()
  }
}
