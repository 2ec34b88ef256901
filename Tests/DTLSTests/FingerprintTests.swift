import DTLS
import Digest
import SRTP
import Testing
import TestSupport
import WireFormat

struct FingerprintTests {
  private static let text =
    "sha-256 4A:AD:B9:B1:3F:82:18:3B:54:02:12:DF:3E:5D:49:6B:19:E5:7C:AB:3A:4B:65:2E:7D:46:3F:54:42:CD:54:F1"

  @Test func `the SDP form is read and written`() throws {
    let fingerprint = try #require(DTLSFingerprint(Self.text))
    #expect(fingerprint.hash == .sha256)
    #expect(fingerprint.bytes.first == 0x4A)
    #expect(fingerprint.description == Self.text)
    #expect(DTLSFingerprint(Self.text.lowercased()) == fingerprint)
    #expect(DTLSFingerprint("SHA-256  " + Self.text.dropFirst(8)) == fingerprint)
  }

  @Test(arguments: [
    "", "sha-256", "sha-256 ", "sha-256 4A", "sha-224 4A:AD", "sha-256 4A:AD:B9:B1",
    String(text.dropLast()), text + ":00", text + " x", text.replacing(":", with: "-"),
    text.replacing("4A", with: "4G"), text.replacing("sha-256", with: "sha-512"), "sha-1 é:é",
  ])
  func `anything else is no fingerprint`(text: String) {
    #expect(DTLSFingerprint(text) == nil)
  }

  private func pair(
    ofServer: [DTLSFingerprint]? = nil, ofClient: [DTLSFingerprint]? = nil
  ) throws -> DTLSPair {
    DTLSPair(
      clientCertificate: try TestCertificate.client.get(),
      serverCertificate: try TestCertificate.server.get(),
      serverFingerprints: ofServer, clientFingerprints: ofClient)
  }

  @Test(arguments: [HashFunction.sha256, .sha384, .sha512])
  func `each good hash function vouches, among several lines`(hash: HashFunction) throws {
    let right = try #require(TestCertificate.server.get().fingerprint(hash))
    let wrong = try TestCertificate.stranger.get().fingerprint
    let old = try #require(TestCertificate.stranger.get().fingerprint(.sha1))
    let pair = try pair(ofServer: [old, wrong, right])
    pair.start()
    pair.runUntilFinished()
    #expect(pair.client.connection != nil)
  }

  @Test(arguments: [HashFunction.md5, .sha1])
  func `a weak hash function does not vouch`(hash: HashFunction) throws {
    let pair = try pair(ofServer: [try #require(TestCertificate.server.get().fingerprint(hash))])
    pair.start()
    pair.runUntilFinished()
    #expect(pair.client.error == .fingerprintMismatch)
  }

  @Test func `a server with another certificate is refused, and told so`() throws {
    let pair = try pair(ofServer: [try TestCertificate.stranger.get().fingerprint])
    pair.start()
    pair.runUntilFinished()
    #expect(pair.client.error == .fingerprintMismatch)
    #expect(pair.server.error == .alertReceived(.badCertificate))
    #expect(pair.client.connection == nil)
    #expect(pair.server.connection == nil)
    #expect(throws: DTLSError.notConnected) { try pair.client.transport.send([1], at: pair.now) }
  }

  @Test func `a client with another certificate is refused, and told so`() throws {
    let pair = try pair(ofClient: [try TestCertificate.stranger.get().fingerprint])
    pair.start()
    pair.runUntilFinished()
    #expect(pair.server.error == .fingerprintMismatch)
    #expect(pair.client.error == .alertReceived(.badCertificate))
    #expect(pair.server.connection == nil)
    #expect(pair.client.connection == nil)
  }

  @Test func `nothing is released before the fingerprints are known`() throws {
    let pair = try pair(ofServer: [])
    pair.start()
    pair.settle()
    #expect(pair.server.connection != nil)
    #expect(pair.client.connection == nil)
    try pair.server.transport.send([1, 2, 3], at: pair.now)
    pair.settle()
    #expect(pair.client.messages.isEmpty)
    #expect(pair.client.events.isEmpty)
    #expect(throws: DTLSError.notConnected) { try pair.client.transport.send([1], at: pair.now) }

    pair.client.transport.setRemoteFingerprints([try TestCertificate.server.get().fingerprint], at: pair.now)
    pair.settle()
    #expect(pair.client.connection?.srtp != nil)
    #expect(pair.client.messages == [[1, 2, 3]])
  }

  @Test func `late fingerprints that do not match end it, and what came is thrown away`() throws {
    let pair = try pair(ofServer: [])
    pair.start()
    pair.settle()
    try pair.server.transport.send([1, 2, 3], at: pair.now)
    pair.settle()
    pair.client.transport.setRemoteFingerprints(
      [try TestCertificate.stranger.get().fingerprint], at: pair.now)
    pair.settle()
    #expect(pair.client.error == .fingerprintMismatch)
    #expect(pair.client.messages.isEmpty)
    #expect(pair.server.isClosed)
  }

  @Test func `fingerprints that come during the handshake count`() throws {
    let pair = try pair(ofServer: [])
    pair.start()
    pair.client.transport.setRemoteFingerprints(
      [try TestCertificate.stranger.get().fingerprint], at: pair.now)
    pair.runUntilFinished()
    #expect(pair.client.error == .fingerprintMismatch)
    #expect(pair.server.error == .alertReceived(.badCertificate))
  }

  @Test func `the first fingerprints stay`() throws {
    let pair = try pair()
    pair.client.transport.setRemoteFingerprints(
      [try TestCertificate.stranger.get().fingerprint], at: pair.now)
    pair.start()
    pair.runUntilFinished()
    #expect(pair.client.connection != nil)
  }
}
