import DTLS
import WireFormat

private let certificate = try? DTLSCertificate.generate()

/// A server that has started, fed datagrams that nobody vouches for. The input is a row of datagrams, each
/// behind a length of two bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDTLSTransport(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let certificate else { return 0 }
  let transport = DTLSTransport(
    role: .server, certificate: certificate, remoteFingerprints: [certificate.fingerprint],
    pool: PacketPool(limit: 8))
  transport.start(at: .origin)
  var reader = ByteReader(RawSpan(_unsafeStart: UnsafeRawPointer(start), byteCount: count))
  while let length = try? reader.uint16(),
    let datagram = try? reader.bytes(min(Int(length), reader.remaining))
  {
    transport.handle(datagram, at: .origin)
    while transport.nextTransmit() != nil {}
    precondition(transport.nextReceived() == nil)
  }
  return 0
}
