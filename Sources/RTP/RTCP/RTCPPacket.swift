import WireFormat

/// One RTCP packet of a compound or reduced-size datagram.
package enum RTCPPacket: Hashable, Sendable {
  case senderReport(SenderReport)
  case receiverReport(ReceiverReport)
  case sourceDescription(SourceDescription)
  case goodbye(Goodbye)
  case nack(GenericNACK)
  case pictureLossIndication(PictureLossIndication)
  case fullIntraRequest(FullIntraRequest)
  case receiverEstimatedMaximumBitrate(ReceiverEstimatedMaximumBitrate)
  case transportFeedback(TransportFeedback)
  /// A type that is not handled here (extended reports, application-defined, other feedback formats).
  case unknown(type: UInt8, format: UInt8)

  /// Appends the packet's bytes; `unknown` has none.
  package func write(into writer: inout ByteWriter) {
    switch self {
    case .senderReport(let report): report.write(into: &writer)
    case .receiverReport(let report): report.write(into: &writer)
    case .sourceDescription(let description): description.write(into: &writer)
    case .goodbye(let goodbye): goodbye.write(into: &writer)
    case .nack(let nack): nack.write(into: &writer)
    case .pictureLossIndication(let indication): indication.write(into: &writer)
    case .fullIntraRequest(let request): request.write(into: &writer)
    case .receiverEstimatedMaximumBitrate(let estimate): estimate.write(into: &writer)
    case .transportFeedback(let feedback): feedback.write(into: &writer)
    case .unknown: break
    }
  }
}
