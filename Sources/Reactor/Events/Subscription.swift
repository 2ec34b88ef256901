import Synchronization

/// Keeps a handler registered. Releasing it, or calling ``cancel()``, removes the handler.
public final class Subscription: Sendable {
  private let onCancel: Mutex<(@Sendable () -> Void)?>

  init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = Mutex(onCancel)
  }

  /// Removes the handler. Idempotent, from any thread, also from inside the handler; a call of it that is
  /// already running finishes, none begins afterwards.
  public final func cancel() {
    let action = onCancel.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }

  deinit {
    cancel()
  }
}
