import RTP
import WireFormat

/// RTP headers with their extensions, and the payload forms that hide another packet (RTX, RED).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRTP(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = RawSpan(_unsafeStart: UnsafeRawPointer(start), byteCount: count)
  guard let header = try? RTPHeader(parsing: bytes) else { return 0 }
  precondition(header.payloadRange.upperBound + header.paddingCount == count)
  let map = HeaderExtensionMap(
    HeaderExtensionKind.allCases.enumerated().map { (UInt8($0.offset + 1), $0.element) })
  _ = RTPExtensionValues(of: header, in: bytes, map: map)
  _ = header.contributingSources(in: bytes)
  let copy = bytes.copyBytes()
  _ = try? RTX.unwrap(PacketBuffer(copying: copy), header: header, payloadType: 96, ssrc: 1)
  _ = try? RedundantPayload.unwrap(PacketBuffer(copying: copy), header: header)
  return 0
}
