/// ERROR-CODE: a number from 300 to 699 and a phrase for people (RFC 8489 section 14.8).
package struct STUNErrorCode: Hashable, Sendable {
  package var code: Int
  package var reason: String

  package init(_ code: Int, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  package static let badRequest = STUNErrorCode(400, "Bad Request")
  package static let unauthenticated = STUNErrorCode(401, "Unauthenticated")
  package static let unknownAttribute = STUNErrorCode(420, "Unknown Attribute")
  package static let roleConflict = STUNErrorCode(487, "Role Conflict")
}
