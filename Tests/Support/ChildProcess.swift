#if canImport(Glibc)
  import Glibc

  /// A program run beside a test, killed with this object. Foundation's `Process` is not used: it waits on a run loop.
  package final class ChildProcess {
    package struct NotStarted: Error {
      let program: String
    }

    package let pid: pid_t
    private var status: Int32?

    /// - Parameters:
    ///   - input: what its standard input is; nil: nothing.
    ///   - output: where its standard output goes; nil: nowhere.
    ///   - errors: where its standard error goes; nil: nowhere.
    package init(
      _ program: String, _ arguments: [String], input: Int32? = nil, output: Int32? = nil,
      errors: Int32? = nil
    ) throws {
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      for (descriptor, target) in [(input, Int32(0)), (output, Int32(1)), (errors, Int32(2))] {
        if let descriptor {
          posix_spawn_file_actions_adddup2(&actions, descriptor, target)
        } else {
          posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
        }
      }
      // Nothing else of ours: a child that outlives a killed test must not hold files or locks open.
      for descriptor in Int32(3)..<256 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
      defer { for argument in argv { free(argument) } }
      var pid: pid_t = 0
      guard posix_spawn(&pid, program, &actions, nil, &argv, environ) == 0 else {
        throw NotStarted(program: program)
      }
      self.pid = pid
    }

    /// - Returns: its exit status; 128 and the signal's number when one ended it.
    @discardableResult
    package func waitUntilExit() -> Int32 {
      if let status { return status }
      var word: Int32 = 0
      while waitpid(pid, &word, 0) == -1, errno == EINTR {}
      let signal = word & 0x7F
      let result = signal == 0 ? (word >> 8) & 0xFF : 128 + signal
      status = result
      return result
    }

    /// Kills it, if it still runs.
    package func stop() {
      guard status == nil else { return }
      kill(pid, SIGKILL)
      waitUntilExit()
    }

    deinit {
      stop()
    }

    /// Runs a program to its end, and gives its exit status and what it wrote to standard output and standard error.
    package static func run(
      _ program: String, _ arguments: [String]
    ) throws -> (status: Int32, output: [UInt8]) {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw NotStarted(program: program) }
      defer { close(ends[0]) }
      let child: ChildProcess
      do {
        defer { close(ends[1]) }
        child = try ChildProcess(program, arguments, output: ends[1], errors: ends[1])
      }
      var output: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(ends[0], &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        output += chunk[..<count]
      }
      return (child.waitUntilExit(), output)
    }
  }
#endif
