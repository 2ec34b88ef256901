import Foundation

// interop-usrsctp <path of the compiled peer>
guard CommandLine.arguments.count == 2 else {
  print("usage: interop-usrsctp <peer>")
  exit(2)
}
var failures = 0
for role in ["listen", "connect"] {
  for offersInterleaving in [true, false] {
    do {
      try InteropCase(
        peer: CommandLine.arguments[1], role: role, offersInterleaving: offersInterleaving
      ).run()
      print("ok: usrsctp \(role)s, interleaving \(offersInterleaving ? "offered" : "not offered")")
    } catch {
      failures += 1
      print("FAILED: usrsctp \(role)s, interleaving \(offersInterleaving): \(error)")
    }
  }
}
exit(failures == 0 ? 0 : 1)
