/// One `a=rtcp-fb` line (RFC 4585 section 4.2).
package struct RTCPFeedbackAttribute: Hashable, Sendable {
  /// nil stands for `*`: all payload types of the section.
  package var payloadType: UInt8?
  package var feedback: RTCPFeedback

  package init(payloadType: UInt8?, feedback: RTCPFeedback) {
    self.payloadType = payloadType
    self.feedback = feedback
  }

  init?(parsing value: Substring) {
    let tokens = value.tokens
    guard tokens.count >= 2 else { return nil }
    var payloadType: UInt8?
    if tokens[0] != "*" {
      guard let number = RTPMap.payloadType(tokens[0]) else { return nil }
      payloadType = number
    }
    let parameter = tokens.dropFirst(2).joined(separator: " ")
    self.init(
      payloadType: payloadType,
      feedback: RTCPFeedback(String(tokens[1]), parameter.isEmpty ? nil : parameter))
  }

  var value: String { (payloadType.map { "\($0) " } ?? "* ") + feedback.description }
}
