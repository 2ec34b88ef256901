import WireFormat

// compiled with: Sources/PeerConnection/Driver/Network/NetlinkMessage.swift
// compiled with: Sources/PeerConnection/Driver/Network/NetworkPaths.swift

/// The kernel's messages about links, addresses and routes, and what is made of them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNetlink(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = RawSpan(_unsafeStart: UnsafeRawPointer(start), byteCount: count)
  var paths = NetworkPaths()
  for message in NetlinkMessage.parse(bytes) { _ = paths.apply(message) }
  _ = paths.isOnline
  return 0
}
