import WireFormat

/// INIT and INIT ACK (RFC 9260 sections 3.3.2 and 3.3.3), as far as they mean something here.
struct InitiationChunk: Hashable {
  var initiateTag: UInt32
  var receiveWindow: UInt32
  var outboundStreams: UInt16
  var inboundStreams: UInt16
  var initialTSN: UInt32
  var supportedExtensions: [UInt8] = []
  var supportsForwardTSN = false
  /// The error detection method that makes checksums unnecessary (RFC 9653); 1 is DTLS.
  var zeroChecksumMethod: UInt32?
  var cookie: [UInt8]?
  /// Whole parameters that the sender wants to be told we do not know.
  var unrecognized: [[UInt8]] = []

  static let dtlsErrorDetection: UInt32 = 1
  /// More unknown parameters than this are not reported.
  private static let maximumReported = 16
  /// RFC 9260 section 3.3.2: less would not even hold one packet.
  static let minimumReceiveWindow: UInt32 = 1500

  init(
    initiateTag: UInt32, receiveWindow: UInt32, outboundStreams: UInt16, inboundStreams: UInt16,
    initialTSN: UInt32
  ) {
    self.initiateTag = initiateTag
    self.receiveWindow = receiveWindow
    self.outboundStreams = outboundStreams
    self.inboundStreams = inboundStreams
    self.initialTSN = initialTSN
  }

  /// Reads the value of the chunk, behind the chunk header.
  init(value: RawSpan) throws(WireError) {
    var reader = ByteReader(value)
    initiateTag = try reader.uint32()
    receiveWindow = try reader.uint32()
    outboundStreams = try reader.uint16()
    inboundStreams = try reader.uint16()
    initialTSN = try reader.uint32()
    while reader.remaining >= 4 {
      let (type, length) = try reader.parameterHeader()
      let content = try reader.bytes(length)
      reader.skipPadding(after: length)
      switch type {
      case ParameterType.supportedExtensions: supportedExtensions = content.copyBytes()
      case ParameterType.forwardTSNSupported: supportsForwardTSN = true
      case ParameterType.cookie: cookie = content.copyBytes()
      case ParameterType.zeroChecksum:
        var parameter = ByteReader(content)
        zeroChecksumMethod = try? parameter.uint32()
      // Addresses, cookie preservative, ECN, supported address types, unrecognized: nothing to do over DTLS.
      case 5, 6, 8, 9, 11, 12, 0x8000: break
      default:
        if type & 0x4000 != 0, unrecognized.count < Self.maximumReported {
          unrecognized.append(ChunkWriter.parameter(type, content.copyBytes()))
        }
        if type & 0x8000 == 0 { return }
      }
    }
  }

  /// Reads a whole chunk, header included, as SNAP's attribute carries it. nil when it is not an INIT that
  /// an association can be made from.
  init?(rawChunk bytes: [UInt8]) {
    let raw = bytes.rawSpan
    var reader = ByteReader(raw)
    guard let type = try? reader.uint8(), type == ChunkType.initiation, (try? reader.skip(1)) != nil,
      let length = try? reader.uint16(), length >= 4, Int(length) <= bytes.count,
      let value = try? reader.bytes(Int(length) - 4), let parsed = try? InitiationChunk(value: value),
      parsed.isAcceptable
    else { return nil }
    self = parsed
  }

  /// Whether the mandatory fields have values that RFC 9260 allows.
  var isAcceptable: Bool {
    initiateTag != 0 && outboundStreams != 0 && inboundStreams != 0
      && receiveWindow >= Self.minimumReceiveWindow
  }

  /// The whole chunk, padded; an INIT ACK when it has a cookie.
  var bytes: [UInt8] {
    var writer = ByteWriter(capacity: 96)
    writer.write(initiateTag)
    writer.write(receiveWindow)
    writer.write(outboundStreams)
    writer.write(inboundStreams)
    writer.write(initialTSN)
    var parameters: [[UInt8]] = []
    if let cookie { parameters.append(ChunkWriter.parameter(ParameterType.cookie, cookie)) }
    if supportsForwardTSN { parameters.append(ChunkWriter.parameter(ParameterType.forwardTSNSupported, [])) }
    if let zeroChecksumMethod {
      var method = ByteWriter(capacity: 4)
      method.write(zeroChecksumMethod)
      parameters.append(ChunkWriter.parameter(ParameterType.zeroChecksum, method.bytes))
    }
    for parameter in unrecognized {
      parameters.append(ChunkWriter.parameter(ParameterType.unrecognized, parameter))
    }
    if !supportedExtensions.isEmpty {
      parameters.append(ChunkWriter.parameter(ParameterType.supportedExtensions, supportedExtensions))
    }
    writer.write(ChunkWriter.join(parameters))
    return ChunkWriter.chunk(cookie == nil ? ChunkType.initiation : ChunkType.initiationAck, writer.bytes)
  }
}
