/// The kind of message (RFC 8489 section 5).
package enum STUNClass: UInt8, Sendable, Hashable {
  case request = 0
  case indication = 1
  case success = 2
  case failure = 3

  package var isResponse: Bool { self == .success || self == .failure }
}
