#if canImport(Glibc)
  import Glibc

  /// A program run beside a test, killed with this object. `Process` is not used: it waits on a run loop.
  final class ChildProcess {
    struct NotStarted: Error {
      let program: String
    }

    let pid: pid_t
    private var isReaped = false

    /// - Parameters:
    ///   - input: what its standard input is; nil: nothing.
    ///   - output: where its standard output goes; nil: nowhere.
    init(_ program: String, _ arguments: [String], input: Int32? = nil, output: Int32? = nil) throws {
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      for (descriptor, target) in [(input, Int32(0)), (output, Int32(1)), (nil, Int32(2))] {
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

    func waitUntilExit() {
      guard !isReaped else { return }
      var status: Int32 = 0
      while waitpid(pid, &status, 0) == -1, errno == EINTR {}
      isReaped = true
    }

    deinit {
      guard !isReaped else { return }
      kill(pid, SIGKILL)
      waitUntilExit()
    }
  }
#endif
