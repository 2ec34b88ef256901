import STUN
import WireFormat

// Fuzzers run on one thread.
nonisolated(unsafe) private let key = STUNIntegrityKey(password: "passwordpasswordpassword")

/// Messages, TURN's framings and the stream cutter: whatever the bytes, no trap. What decodes encodes again,
/// and means the same then.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSTUN(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = RawSpan(_unsafeStart: UnsafeRawPointer(start), byteCount: count)
  if let message = try? STUNMessage(decoding: bytes) {
    _ = message.isAuthentic(bytes, key: key)
    let encoded = message.encoded(fingerprint: false)
    let again = try? STUNMessage(decoding: encoded.rawSpan)
    precondition(again != nil)
  }
  if let (_, range) = TURNIndication.parseData(bytes) { precondition(range.upperBound <= count) }
  if let (_, range) = ChannelData.parse(bytes) { precondition(range.upperBound <= count) }
  var framer = TURNStreamFramer()
  var taken = 0
  for offset in stride(from: 0, to: count, by: 7) {
    framer.append(bytes.clamped(offset..<(offset + 7)))
    while let frame = framer.next() { taken += frame.count }
  }
  precondition(taken <= count)
  return 0
}
