#if canImport(Security)
  import Foundation
  import Security

  /// One generic password of the keychain, readable on this device only and after its first unlock.
  ///
  /// Cannot be compiled on Linux, where this package is built and tested.
  struct KeychainItem: Sendable {
    let service: String
    let account: String
    let accessGroup: String?
    /// Asks for Face ID, Touch ID or the passcode before each reading.
    let isGuarded: Bool

    private var query: [CFString: Any] {
      var query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
        kSecUseDataProtectionKeychain: true,
      ]
      if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
      return query
    }

    func load() throws -> String? {
      var query = query
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess, let data = found as? Data else {
        throw failure("cannot be read", status)
      }
      return String(data: data, encoding: .utf8)
    }

    /// Replaces the item: an update would keep the protection of the one before.
    func store(_ token: String?) throws {
      let status = SecItemDelete(query as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else {
        throw failure("cannot be replaced", status)
      }
      guard let token else { return }
      var item = query
      item[kSecValueData] = Data(token.utf8)
      if isGuarded {
        var reason: Unmanaged<CFError>?
        guard
          let control = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .userPresence, &reason)
        else {
          reason?.release()
          throw ReactorError(.internalError, "The keychain offers no protection by presence")
        }
        item[kSecAttrAccessControl] = control
      } else {
        item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      }
      let added = SecItemAdd(item as CFDictionary, nil)
      guard added == errSecSuccess else { throw failure("cannot be written", added) }
    }

    private func failure(_ what: String, _ status: OSStatus) -> ReactorError {
      let text = SecCopyErrorMessageString(status, nil) as String? ?? "status \(status)"
      let code: ReactorError.Code =
        status == errSecUserCanceled || status == errSecAuthFailed ? .unauthorized : .internalError
      return ReactorError(code, "The keychain item \(what): \(text)")
    }
  }
#endif
