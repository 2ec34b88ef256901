import Digest
import Testing
import TestSupport

struct HMACTests {
  // RFC 2202 section 3, cases 1, 2 and 6; RFC 4231 section 4.2 and 4.3.
  @Test(arguments: [
    (
      HashFunction.sha1, hex(String(repeating: "0b", count: 20)), "Hi There",
      "b617318655057264e28bc0b6fb378c8ef146be00"
    ),
    (.sha1, Array("Jefe".utf8), "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
    (
      .sha1, hex(String(repeating: "aa", count: 80)),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "aa4ae5e15272d00e95705637ce8a3b55ed402112"
    ),
    (
      .sha256, hex(String(repeating: "0b", count: 20)), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      .sha256, Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
  ])
  func `matches the published vectors, again and again`(
    function: HashFunction, key: [UInt8], message: String, expected: String
  ) throws {
    let mac = try #require(HMAC(function, key: key))
    for _ in 0..<3 {
      #expect(mac.authenticationCode(Array(message.utf8)).map { hex($0) } == expected)
    }
  }

  @Test func `takes an empty key and joins parts`() throws {
    let mac = try #require(HMAC(.sha256, key: []))
    #expect(
      mac.authenticationCode([]).map { hex($0) }
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    #expect(mac.authenticationCode([1], [2, 3]) == mac.authenticationCode([1, 2, 3]))
  }

  @Test func `digests match the published vectors`() {
    #expect(HashFunction.md5.digest(Array("abc".utf8)).map { hex($0) } == "900150983cd24fb0d6963f7d28e17f72")
    #expect(
      HashFunction.sha256.digest(Array("abc".utf8)).map { hex($0) }
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    for function in HashFunction.allCases {
      #expect(function.digest([])?.count == function.digestLength)
    }
  }

  @Test func `constant-time comparison tells equal from unequal`() {
    #expect(ConstantTime.isEqual([1, 2, 3], [1, 2, 3]))
    #expect(!ConstantTime.isEqual([1, 2, 3], [1, 2, 4]))
    #expect(!ConstantTime.isEqual([1, 2, 3], [1, 2]))
    #expect(ConstantTime.isEqual([], []))
  }
}
