import DTLS
import Foundation
import SRTP
import WireFormat

/// One connection with the `openssl` command over real sockets: handshake, keys, data both ways, close.
struct InteropCase: CustomStringConvertible {
  let role: DTLSRole
  let profile: SRTPProfile
  var cipher: String?
  var group: String?
  var keyType = "P-256"

  var description: String {
    let peer = role == .client ? "s_server" : "s_client"
    return "\(role) with openssl \(peer), \(name), key \(keyType)"
      + (cipher.map { ", " + $0 } ?? "") + (group.map { ", " + $0 } ?? "")
  }

  private var name: String {
    switch profile {
    case .aes128CMSHA1With80BitTag: "SRTP_AES128_CM_SHA1_80"
    case .aeadAES128GCM: "SRTP_AEAD_AES_128_GCM"
    case .aeadAES256GCM: "SRTP_AEAD_AES_256_GCM"
    }
  }

  func run(openssl: URL, folder: URL) throws {
    let (certificate, key, fingerprint) = try makeCertificate(openssl, folder)
    let pool = PacketPool()
    let transport = DTLSTransport(
      role: role, certificate: try DTLSCertificate.generate(), remoteFingerprints: [fingerprint], pool: pool)
    let peerPort = role == .client ? try UDPEndpoint.freePort() : nil
    let endpoint = try UDPEndpoint(transport: transport, pool: pool, peerPort: peerPort)
    var arguments =
      switch role {
      case .client: ["s_server", "-accept", "127.0.0.1:\(peerPort ?? 0)", "-verify", "1"]
      case .server: ["s_client", "-connect", "127.0.0.1:\(endpoint.port)"]
      }
    arguments += [
      "-dtls1_2", "-mtu", "1200", "-cert", certificate.path, "-key", key.path, "-use_srtp", name,
      "-keymatexport", "EXTRACTOR-dtls_srtp", "-keymatexportlen", "\(profile.exportedLength)",
    ]
    if let cipher { arguments += ["-cipher", cipher] }
    if let group { arguments += ["-curves", group] }
    let peer = try OpenSSLPeer(openssl: openssl, arguments: arguments, log: folder.appending(path: "log"))
    defer { peer.stop() }
    do {
      try exchange(endpoint, peer)
    } catch {
      throw UDPEndpoint.Failure(description: "\(error)\n\(peer.output)")
    }
  }

  private func exchange(_ endpoint: UDPEndpoint, _ peer: OpenSSLPeer) throws {
    endpoint.transport.start(at: MonotonicClock.now())
    try endpoint.run("handshake") { $0.connection != nil }
    guard let connection = endpoint.connection, let srtp = connection.srtp else {
      throw UDPEndpoint.Failure(description: "no SRTP keys")
    }
    try require(srtp.profile == profile, "profile \(srtp.profile)")
    if let cipher { try require(connection.cipher == cipher, "cipher \(connection.cipher)") }
    try endpoint.run("exported keys") { _ in peer.value(after: "Keying material:") != nil }
    try require(peer.value(after: "Keying material:") == exported(srtp), "the exported keys differ")

    try endpoint.send("from us\n")
    try endpoint.run("our data at the peer") { _ in peer.output.contains("from us") }
    try peer.write("zebra\n")
    try endpoint.run("the peer's data") { String(decoding: $0.received, as: UTF8.self).contains("zebra") }
    try endpoint.finish()
    let word = role == .client ? "DONE" : "closed"
    try endpoint.run("the peer's close") { _ in peer.output.contains(word) }
  }

  private func require(_ condition: Bool, _ what: String) throws {
    guard condition else { throw UDPEndpoint.Failure(description: what) }
  }

  /// The exporter's bytes put together again, as the command prints them.
  private func exported(_ material: SRTPKeyingMaterial) -> String {
    let client = material.client.keyAndSalt.bytes.copyBytes()
    let server = material.server.keyAndSalt.bytes.copyBytes()
    let length = profile.keyLength
    let bytes = client[..<length] + server[..<length] + client[length...] + server[length...]
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }

  private func makeCertificate(_ openssl: URL, _ folder: URL) throws -> (URL, URL, DTLSFingerprint) {
    let certificate = folder.appending(path: "certificate.pem")
    let key = folder.appending(path: "key.pem")
    let algorithm = keyType == "P-256" ? ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"] : ["rsa:2048"]
    _ = try OpenSSLPeer.run(
      openssl,
      ["req", "-x509", "-newkey"] + algorithm
        + ["-nodes", "-subj", "/CN=interop", "-keyout", key.path, "-out", certificate.path])
    let printed = try OpenSSLPeer.run(
      openssl, ["x509", "-in", certificate.path, "-noout", "-fingerprint", "-sha256"])
    let digits = printed.split(separator: "=").last.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    guard let fingerprint = DTLSFingerprint("sha-256 " + (digits ?? "")) else {
      throw UDPEndpoint.Failure(description: "no certificate made")
    }
    return (certificate, key, fingerprint)
  }
}
