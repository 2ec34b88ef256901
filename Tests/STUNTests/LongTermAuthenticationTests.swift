import STUN
import TestSupport
import Testing
import WireFormat

struct LongTermAuthenticationTests {
  private func challenge(_ nonce: String, _ extra: [STUNAttribute] = [], realm: String? = "r") -> STUNMessage
  {
    STUNMessage(
      .failure, .allocate, transactionID: STUNMessageTests.id,
      attributes: [.errorCode(.unauthenticated), .nonce(Array(nonce.utf8))] + extra
        + (realm.map { [.realm($0)] } ?? []))
  }

  @Test func `a plain nonce leads to MD5 keys and SHA-1 codes`() throws {
    let authentication = Box(LongTermAuthentication(username: "u", password: "p"))
    #expect(authentication.attributes.isEmpty)
    #expect(authentication.accept(challenge: challenge("n1")))
    #expect(authentication.algorithm == .sha1)
    #expect(authentication.attributes == [.username("u"), .realm("r"), .nonce(Array("n1".utf8))])
    let first = authentication.key
    #expect(authentication.accept(challenge: challenge("n2", realm: nil)))
    #expect(authentication.key === first)
    #expect(authentication.attributes.contains(.nonce(Array("n2".utf8))))
  }

  @Test func `a nonce with the algorithm bit leads to SHA-256, and the list is sent back`() throws {
    let authentication = Box(LongTermAuthentication(username: "u", password: "p"))
    let list = [STUNPasswordAlgorithm.md5, .sha256]
    #expect(authentication.accept(challenge: challenge("obMatJos2gAAAxyz", [.passwordAlgorithms(list)])))
    #expect(authentication.algorithm == .sha256)
    #expect(authentication.attributes.contains(.passwordAlgorithms(list)))
    #expect(authentication.attributes.contains(.passwordAlgorithm(.sha256)))
  }

  @Test func `the algorithm bit without the list is a bid-down attack and is refused`() {
    let authentication = Box(LongTermAuthentication(username: "u", password: "p"))
    #expect(!authentication.accept(challenge: challenge("obMatJos2gAAAxyz")))
    #expect(!authentication.isReady)
  }

  @Test func `the anonymity bit replaces the username by its hash`() throws {
    let authentication = Box(LongTermAuthentication(username: "u", password: "p"))
    #expect(authentication.accept(challenge: challenge("obMatJos2QAAAxyz")))
    let isHidden = authentication.attributes.contains { if case .userHash = $0 { true } else { false } }
    #expect(isHidden)
    #expect(!authentication.attributes.contains(.username("u")))
  }

  @Test func `a challenge without nonce or realm is refused`() {
    let authentication = Box(LongTermAuthentication(username: "u", password: "p"))
    #expect(!authentication.accept(challenge: challenge("n", realm: nil)))
    let bare = STUNMessage(.failure, .allocate, transactionID: STUNMessageTests.id)
    #expect(!authentication.accept(challenge: bare))
  }

  @Test(arguments: [
    ("obMatJos2AAAA", UInt32(0)), ("obMatJos2gAAA", 0x80_0000), ("obMatJos2wAAAtail", 0xC0_0000),
    ("obMatJos2////", 0xFF_FFFF),
  ])
  func `security features are read from the nonce`(_ nonce: String, _ features: UInt32) {
    #expect(NonceCookie(nonce: Array(nonce.utf8))?.features == features)
  }

  @Test(arguments: ["", "obMatJos2", "obMatJos2AAA", "obMatJos2A*AA", "other-nonce-text"])
  func `other nonces have no cookie`(_ nonce: String) {
    #expect(NonceCookie(nonce: Array(nonce.utf8)) == nil)
  }
}
