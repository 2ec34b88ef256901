import Digest
import WireFormat

/// A client's side of the long-term credential mechanism (RFC 8489 section 9.2): it learns realm and nonce
/// from the server's challenge and then signs requests.
package struct LongTermAuthentication {
  package let username: String
  private let password: String
  private var realm: String?
  private var nonce: [UInt8]?
  private var offered: [STUNPasswordAlgorithm]?
  private var chosen: STUNPasswordAlgorithm?
  private var isAnonymous = false
  package private(set) var key: STUNIntegrityKey?

  package init(username: String, password: String) {
    self.username = username
    self.password = password
  }

  /// Whether a challenge was answered, so that requests can be signed.
  package var isReady: Bool { key != nil }

  /// The integrity attribute that goes with the key: SHA-256 once the server offered password algorithms.
  package var algorithm: STUNIntegrityAlgorithm { offered == nil ? .sha1 : .sha256 }

  /// Takes realm and nonce from a 401 or 438.
  ///
  /// - Returns: false when the response lacks them, or offers only algorithms that we do not have; the
  ///   request must then not be repeated.
  package mutating func accept(challenge response: STUNMessage) -> Bool {
    guard let newNonce = response.nonce, let newRealm = response.realm ?? realm else { return false }
    let cookie = NonceCookie(nonce: newNonce)
    var algorithm = STUNPasswordAlgorithm.md5
    var list: [STUNPasswordAlgorithm]?
    if let cookie, cookie.offersPasswordAlgorithms {
      // The bit without the list is a bid-down attack (RFC 8489 section 9.2.5).
      guard let algorithms = response.passwordAlgorithms else { return false }
      guard let best = LongTermAuthentication.best(of: algorithms) else { return false }
      algorithm = best
      list = algorithms
    }
    let keyStays = key != nil && realm == newRealm && chosen == algorithm
    realm = newRealm
    nonce = newNonce
    offered = list
    chosen = algorithm
    isAnonymous = cookie?.offersUsernameAnonymity ?? false
    if !keyStays {
      key = STUNIntegrityKey(
        username: username, realm: newRealm, password: password, algorithm: algorithm)
    }
    return key != nil
  }

  private static func best(of algorithms: [STUNPasswordAlgorithm]) -> STUNPasswordAlgorithm? {
    algorithms.first { $0.number == STUNPasswordAlgorithm.sha256.number }
      ?? algorithms.first { $0.number == STUNPasswordAlgorithm.md5.number }
  }

  /// What a signed request carries besides its own attributes; empty before the first challenge.
  package var attributes: [STUNAttribute] {
    guard isReady, let realm, let nonce else { return [] }
    var result: [STUNAttribute] = []
    if isAnonymous, let hash = HashFunction.sha256.digest(Array("\(username):\(realm)".utf8)) {
      result.append(.userHash(hash))
    } else {
      result.append(.username(username))
    }
    result.append(.realm(realm))
    result.append(.nonce(nonce))
    if let offered, let chosen {
      result.append(.passwordAlgorithms(offered))
      result.append(.passwordAlgorithm(chosen))
    }
    return result
  }
}
