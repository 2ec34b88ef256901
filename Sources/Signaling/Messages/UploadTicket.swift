#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a file may be uploaded to.
package struct UploadTicket: Hashable, Sendable {
  package let id: String
  /// Carries a signature in its query: never shown.
  package let url: URL
}
