import RTP
import WireFormat

/// RTCP datagrams: what is read can be written, and is read the same again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRTCP(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = RawSpan(_unsafeStart: UnsafeRawPointer(start), byteCount: count)
  guard let compound = try? RTCPCompound(parsing: bytes) else { return 0 }
  _ = try? RTCPCompound(parsing: compound.serialized().rawSpan)
  for case .transportFeedback(let feedback) in compound.packets { _ = feedback.results }
  for case .nack(let nack) in compound.packets { _ = nack.lost }
  return 0
}
