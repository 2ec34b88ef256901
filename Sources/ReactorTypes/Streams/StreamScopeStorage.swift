import Synchronization

/// What copies of a ``StreamScope`` and its iterators share; its release closes the stream.
final class StreamScopeStorage<Element: Sendable>: Sendable {
  private let source: @Sendable () async throws -> Element?
  private let onClose: Mutex<(@Sendable () -> Void)?>
  private let isClosed = Atomic<Bool>(false)

  init(next: @escaping @Sendable () async throws -> Element?, onClose: @escaping @Sendable () -> Void) {
    source = next
    self.onClose = Mutex(onClose)
  }

  deinit {
    close()
  }

  func next() async throws -> Element? {
    if isClosed.load(ordering: .acquiring) { return nil }
    do {
      if let element = try await source() { return element }
      close()
      return nil
    } catch {
      // A reader that closed the stream itself wants its end, not the error that the closing caused.
      let wasClosed = isClosed.load(ordering: .acquiring)
      close()
      if wasClosed { return nil }
      throw error
    }
  }

  func close() {
    isClosed.store(true, ordering: .releasing)
    let action = onClose.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }
}
