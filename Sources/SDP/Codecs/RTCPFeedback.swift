/// A kind of RTCP feedback (RFC 4585 section 4.2), such as `nack pli`.
package struct RTCPFeedback: Hashable, Sendable {
  package var type: String
  package var parameter: String?

  package init(_ type: String, _ parameter: String? = nil) {
    self.type = type
    self.parameter = parameter
  }

  package static let nack = RTCPFeedback("nack")
  package static let pictureLoss = RTCPFeedback("nack", "pli")
  package static let fullIntraRequest = RTCPFeedback("ccm", "fir")
  package static let transportWideCC = RTCPFeedback("transport-cc")
  package static let remb = RTCPFeedback("goog-remb")

  /// What a video codec of this package offers, in the order that peers are used to.
  package static let video: [RTCPFeedback] = [
    .remb, .transportWideCC, .fullIntraRequest, .nack, .pictureLoss,
  ]
}

extension RTCPFeedback: CustomStringConvertible {
  package var description: String { parameter.map { "\(type) \($0)" } ?? type }
}
