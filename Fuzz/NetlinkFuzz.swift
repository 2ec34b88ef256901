import WireFormat

/// The kernel's messages about links, addresses and routes, and what is made of them. Needs `WireFormat`, and is
/// compiled together with `NetlinkMessage.swift` and `NetworkPaths.swift`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNetlink(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = RawSpan(_unsafeStart: UnsafeRawPointer(start), byteCount: count)
  var paths = NetworkPaths()
  for message in NetlinkMessage.parse(bytes) { _ = paths.apply(message) }
  _ = paths.isOnline
  return 0
}
