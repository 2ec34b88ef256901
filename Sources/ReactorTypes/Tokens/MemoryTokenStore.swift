import Synchronization

/// Keeps one token in memory.
public final class MemoryTokenStore: TokenStore {
  private let current: Mutex<String?>

  /// A store that holds `token`.
  public init(_ token: String? = nil) {
    current = Mutex(token)
  }

  /// Replaces the token.
  public final func set(_ token: String?) {
    current.withLock { $0 = token }
  }

  /// The token, whatever it is wanted for.
  public final func token(for context: TokenContext) async throws -> String? {
    current.withLock { $0 }
  }

  /// Forgets the token, unless another one was set since.
  public final func invalidate(_ token: String, for context: TokenContext) async {
    current.withLock { if $0 == token { $0 = nil } }
  }
}
