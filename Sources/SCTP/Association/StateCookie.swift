import Digest
import WireFormat

/// All that a responder needs to make the association, carried by the peer and signed (RFC 9260 5.1.3).
struct StateCookie: Hashable {
  var localTag: UInt32
  var peerTag: UInt32
  var localInitialTSN: UInt32
  var peerInitialTSN: UInt32
  var peerReceiveWindow: UInt32
  var outgoingStreams: UInt16
  var incomingStreams: UInt16
  var features: AssociationFeatures
  /// The tags of the association that existed when the INIT came; 0 when there was none.
  var localTieTag: UInt32 = 0
  var peerTieTag: UInt32 = 0
  var createdAt: Instant
}

/// Signs cookies with a key that only this association knows.
struct CookieSigner {
  private let hmac: HMAC?

  init(random: inout RandomSource) {
    hmac = HMAC(.sha256, key: random.bytes(32))
  }

  /// nil only where the system has no SHA-256.
  func seal(_ cookie: StateCookie) -> [UInt8]? {
    var writer = ByteWriter(capacity: 80)
    writer.write(cookie.localTag)
    writer.write(cookie.peerTag)
    writer.write(cookie.localInitialTSN)
    writer.write(cookie.peerInitialTSN)
    writer.write(cookie.peerReceiveWindow)
    writer.write(cookie.outgoingStreams)
    writer.write(cookie.incomingStreams)
    writer.write(UInt32(cookie.features.bits))
    writer.write(cookie.localTieTag)
    writer.write(cookie.peerTieTag)
    writer.write(UInt64(bitPattern: cookie.createdAt.nanoseconds))
    guard let code = hmac?.authenticationCode(writer.bytes.rawSpan) else { return nil }
    writer.write(code)
    return writer.bytes
  }

  /// The content of a cookie that was signed here; nil for any other.
  func open(_ sealed: RawSpan) -> StateCookie? {
    let size = sealed.byteCount - HashFunction.sha256.digestLength
    guard size > 0 else { return nil }
    let content = sealed.clamped(0..<size)
    guard let code = hmac?.authenticationCode(content),
      ConstantTime.isEqual(code.rawSpan, sealed.clamped(size..<sealed.byteCount))
    else { return nil }
    return try? Self.parse(content)
  }

  private static func parse(_ content: RawSpan) throws(WireError) -> StateCookie {
    var reader = ByteReader(content)
    return StateCookie(
      localTag: try reader.uint32(), peerTag: try reader.uint32(), localInitialTSN: try reader.uint32(),
      peerInitialTSN: try reader.uint32(), peerReceiveWindow: try reader.uint32(),
      outgoingStreams: try reader.uint16(), incomingStreams: try reader.uint16(),
      features: AssociationFeatures(bits: UInt8(truncatingIfNeeded: try reader.uint32())),
      localTieTag: try reader.uint32(), peerTieTag: try reader.uint32(),
      createdAt: Instant(nanoseconds: Int64(bitPattern: try reader.uint64())))
  }
}
