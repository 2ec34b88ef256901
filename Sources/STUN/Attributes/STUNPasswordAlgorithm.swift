/// How a long-term key is made of a password (RFC 8489 section 14.11), with the parameters, which are empty
/// for both algorithms known today.
package struct STUNPasswordAlgorithm: Hashable, Sendable {
  package var number: UInt16
  package var parameters: [UInt8]

  package init(number: UInt16, parameters: [UInt8] = []) {
    self.number = number
    self.parameters = parameters
  }

  package static let md5 = STUNPasswordAlgorithm(number: 1)
  package static let sha256 = STUNPasswordAlgorithm(number: 2)
}
