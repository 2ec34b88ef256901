import DTLS
import WireFormat

/// The record reader and the handshake header: whatever the bytes, no trap, and never more than was there.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDTLSRecords(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = RawSpan(_unsafeStart: UnsafeRawPointer(start), byteCount: count)
  var reader = DTLSRecordReader(bytes)
  var seen = 0
  while true {
    var fragmentCount = 0
    let header = try? reader.next { fragment in
      fragmentCount = fragment.byteCount
      _ = try? DTLSHandshakeHeader(fragment)
    }
    guard header != nil else { break }
    seen += fragmentCount
  }
  precondition(seen <= count)
  return 0
}
