/// One `a=fmtp` line (RFC 8866 section 6.15).
package struct FormatParametersAttribute: Hashable, Sendable {
  package var payloadType: UInt8
  package var parameters: FormatParameters

  package init(payloadType: UInt8, parameters: FormatParameters) {
    self.payloadType = payloadType
    self.parameters = parameters
  }

  init?(parsing value: Substring) {
    guard let head = value.tokens.first, let payloadType = RTPMap.payloadType(head) else { return nil }
    self.init(
      payloadType: payloadType,
      parameters: FormatParameters(parsing: Substring(value.utf8.dropFirst(head.utf8.count))))
  }

  var value: String { "\(payloadType) \(parameters)" }
}
