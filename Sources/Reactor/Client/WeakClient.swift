import Synchronization

/// What tracks and events hold of their client: nothing that keeps it alive.
final class WeakClient: Sendable {
  private struct Box {
    weak var client: Client?
  }

  private let box = Mutex(Box())

  func set(_ client: Client?) {
    box.withLock { $0.client = client }
  }

  var client: Client? { box.withLock { $0.client } }
}
