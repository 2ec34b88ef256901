#if canImport(Security)
  import Synchronization

  /// Keeps one token in the keychain, for this device only. Apple platforms only, where it was never compiled by
  /// this package's tests.
  public final class KeychainTokenStore: TokenStore {
    private let item: KeychainItem
    private let access = Mutex<Void>(())

    /// A store on the generic password of `service` and `account`, which need not exist yet.
    ///
    /// - Parameter accessGroup: a group of apps that share the item; nil: this app alone.
    public init(service: String, account: String = "session-token", accessGroup: String? = nil) {
      item = KeychainItem(service: service, account: account, accessGroup: accessGroup, isGuarded: false)
    }

    /// Replaces the token; nil removes it.
    public final func set(_ token: String?) throws {
      try access.withLock { _ in try item.store(token) }
    }

    /// The token, whatever it is wanted for; nil when there is none.
    public final func token(for context: TokenContext) async throws -> String? {
      try access.withLock { _ in try item.load() }
    }

    /// Removes the token, unless another one was set since.
    public final func invalidate(_ token: String, for context: TokenContext) async {
      access.withLock { _ in
        if (try? item.load()) == token { try? item.store(nil) }
      }
    }
  }

  /// Keeps one token in the keychain behind Face ID, Touch ID or the passcode. Apple platforms only, where it was
  /// never compiled by this package's tests.
  ///
  /// The person is asked once; the token then stays in memory until ``lock()``, since the SDK asks its store before
  /// every request.
  public final class BiometricKeychainTokenStore: TokenStore {
    private let item: KeychainItem
    private let unlocked = Mutex<String?>(nil)

    /// A store on the guarded password of `service` and `account`, which need not exist yet.
    public init(service: String, account: String = "session-token", accessGroup: String? = nil) {
      item = KeychainItem(service: service, account: account, accessGroup: accessGroup, isGuarded: true)
    }

    /// Replaces the token; nil removes it.
    public final func set(_ token: String?) throws {
      try unlocked.withLock { current in
        try item.store(token)
        current = token
      }
    }

    /// Forgets what is in memory, so that the next request asks the person again.
    public final func lock() {
      unlocked.withLock { $0 = nil }
    }

    /// The token; asks the person unless it is in memory. Throws ``ReactorError/unauthorized`` when refused.
    public final func token(for context: TokenContext) async throws -> String? {
      try unlocked.withLock { current in
        if let current { return current }
        current = try item.load()
        return current
      }
    }

    /// Removes the token if it is the one in memory.
    public final func invalidate(_ token: String, for context: TokenContext) async {
      unlocked.withLock { current in
        guard current == token else { return }
        current = nil
        try? item.store(nil)
      }
    }
  }
#endif
