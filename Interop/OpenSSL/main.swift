// Connects with `openssl s_server` and `openssl s_client` over UDP on the loopback address, both ways, and
// compares the exported keys. Exits 0 when all agree, 1 when not, 77 when there is no openssl command.
import DTLS
import Foundation
import SRTP

guard let openssl = OpenSSLPeer.find() else {
  print("skipped: no openssl command")
  exit(77)
}

var cases: [InteropCase] = []
for role in [DTLSRole.client, .server] {
  cases += SRTPProfile.allCases.map { InteropCase(role: role, profile: $0) }
  for cipher in ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"] {
    cases.append(InteropCase(role: role, profile: .aeadAES128GCM, cipher: "ECDHE-ECDSA-" + cipher))
  }
  for group in ["P-256", "X25519:P-256"] {
    // P-256 stays in the list: the certificates are on that curve.
    cases.append(InteropCase(role: role, profile: .aeadAES128GCM, group: group))
  }
  cases.append(InteropCase(role: role, profile: .aeadAES128GCM, keyType: "RSA-2048"))
}

let folder = FileManager.default.temporaryDirectory.appending(path: "interop-openssl-\(getpid())")
var failures = 0
for interopCase in cases {
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  do {
    try interopCase.run(openssl: openssl, folder: folder)
    print("ok    \(interopCase)")
  } catch {
    failures += 1
    print("FAIL  \(interopCase): \(error)")
  }
  try? FileManager.default.removeItem(at: folder)
}
print("\(cases.count - failures) of \(cases.count) connections agreed with \(openssl.path)")
exit(failures == 0 ? 0 : 1)
