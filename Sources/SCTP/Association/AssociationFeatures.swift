/// The extensions that both sides have.
struct AssociationFeatures: Hashable {
  /// Partial reliability (RFC 3758).
  var forwardTSN = false
  /// Stream reset (RFC 6525).
  var reconfiguration = false
  /// I-DATA (RFC 8260).
  var interleaving = false
  /// We may send packets without a checksum (RFC 9653).
  var sendsZeroChecksum = false

  init() {}

  /// What `peer` offers of what this side, configured like this, offers too.
  init(peer: InitiationChunk, configuration: SCTPConfiguration) {
    let extensions = peer.supportedExtensions
    forwardTSN = peer.supportsForwardTSN || extensions.contains(ChunkType.forwardTSN)
    reconfiguration = extensions.contains(ChunkType.reconfiguration)
    // RFC 8260 section 2.2.1: I-FORWARD-TSN goes with it as soon as partial reliability is spoken.
    interleaving =
      configuration.offersInterleaving && extensions.contains(ChunkType.interleavedData)
      && extensions.contains(ChunkType.interleavedForwardTSN)
    sendsZeroChecksum =
      configuration.offersZeroChecksum && peer.zeroChecksumMethod == InitiationChunk.dtlsErrorDetection
  }

  init(bits: UInt8) {
    forwardTSN = bits & 1 != 0
    reconfiguration = bits & 2 != 0
    interleaving = bits & 4 != 0
    sendsZeroChecksum = bits & 8 != 0
  }

  var bits: UInt8 {
    (forwardTSN ? 1 : 0) | (reconfiguration ? 2 : 0) | (interleaving ? 4 : 0) | (sendsZeroChecksum ? 8 : 0)
  }
}
