import DTLS
import Digest
import Testing
import TestSupport
import WireFormat

struct CertificateTests {
  @Test func `each certificate is another, and its fingerprint is its hash`() throws {
    let first = try DTLSCertificate.generate()
    let second = try DTLSCertificate.generate()
    #expect(first.fingerprint != second.fingerprint)
    #expect(first.fingerprint.bytes == HashFunction.sha256.digest(first.der))
    #expect(first.fingerprint(.sha512)?.bytes.count == 64)
    #expect(first.fingerprint.isTrustworthy)
  }

  @Test func `an expired certificate with the right fingerprint is taken`() throws {
    let expired = try DTLSCertificate(
      certificate: try Fixture.bytes("DTLS/expired.certificate.der"),
      privateKey: try Fixture.bytes("DTLS/expired.key.der"))
    let pair = DTLSPair(clientCertificate: expired, serverCertificate: expired)
    pair.start()
    pair.runUntilFinished()
    #expect(pair.client.connection != nil)
    #expect(pair.server.connection != nil)
  }

  @Test func `a key that belongs to another certificate is refused`() throws {
    let certificate = try Fixture.bytes("DTLS/expired.certificate.der")
    let key = try Fixture.bytes("DTLS/rsa4096.key.der")
    #expect(throws: DTLSError.invalidCertificate) {
      try DTLSCertificate(certificate: certificate, privateKey: key)
    }
    #expect(throws: DTLSError.invalidCertificate) { try DTLSCertificate(certificate: [], privateKey: []) }
    #expect(throws: DTLSError.invalidCertificate) {
      try DTLSCertificate(certificate: Array(certificate.dropLast(40)), privateKey: key)
    }
  }

  @Test func `one certificate serves many connections on many threads`() async throws {
    let certificate = try DTLSCertificate.generate()
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          (0..<25).filter { _ in
            let pair = DTLSPair(clientCertificate: certificate, serverCertificate: certificate)
            pair.start()
            pair.runUntilFinished()
            return pair.client.connection != nil && pair.server.connection != nil
          }.count
        }
      }
      for await connected in group { #expect(connected == 25) }
    }
  }
}
