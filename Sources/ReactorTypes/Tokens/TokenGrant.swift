#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A minted token.
public struct TokenGrant: Sendable, Hashable {
  /// The token.
  public let jwt: String
  /// When it ends, if the server said so. It can be earlier than what was asked for.
  public let expiresAt: Date?
  /// What else the server said.
  public let extraFields: [String: JSONValue]

  package init(jwt: String, expiresAt: Date?, extraFields: [String: JSONValue]) {
    self.jwt = jwt
    self.expiresAt = expiresAt
    self.extraFields = extraFields
  }

  /// Compares token and expiry; not the fields that this version does not know.
  public static func == (left: TokenGrant, right: TokenGrant) -> Bool {
    left.jwt == right.jwt && left.expiresAt == right.expiresAt
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(jwt)
    hasher.combine(expiresAt)
  }
}

extension TokenGrant: CustomStringConvertible, CustomDebugStringConvertible {
  /// Without the token, so that a grant in a log gives nothing away.
  public var description: String {
    "TokenGrant(jwt: \(Redaction.mark), expiresAt: \(expiresAt.map { "\($0)" } ?? "unknown"))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }
}
