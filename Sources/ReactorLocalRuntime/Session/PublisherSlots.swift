import Synchronization

/// Who publishes which track: the first one wins, over all clients of a session.
final class PublisherSlots: Sendable {
  private let owners = Mutex<[String: UInt32]>([:])

  /// False when the slot is taken, also by the asker itself.
  func take(_ track: String, for client: UInt32) -> Bool {
    owners.withLock { owners in
      guard owners[track] == nil else { return false }
      owners[track] = client
      return true
    }
  }

  func isTaken(_ track: String) -> Bool { owners.withLock { $0[track] != nil } }

  /// Frees the slot if `client` owns it.
  func release(_ track: String, from client: UInt32) {
    owners.withLock { owners in
      if owners[track] == client { owners[track] = nil }
    }
  }

  func releaseAll(from client: UInt32) {
    owners.withLock { owners in owners = owners.filter { $0.value != client } }
  }

  func removeAll() {
    owners.withLock { $0.removeAll() }
  }
}
