/// Why a session description cannot be used.
///
/// Lines and sections are named by number only (lines from 1, sections from 0): descriptions hold passwords,
/// so no text of them ever stands in an error.
package enum SDPError: Error, Hashable, Sendable {
  /// The text is longer than ``SDPLimits/bytes``.
  case tooLarge(bytes: Int)
  /// More lines than ``SDPLimits/lines``.
  case tooManyLines
  /// More media sections than ``SDPLimits/sections``.
  case tooManySections(line: Int)
  /// A line that breaks the structure of the description.
  case malformedLine(line: Int, expected: String)
  /// A line that must be there was not found before `line`.
  case missingLine(line: Int, expected: String)
  /// A section, or nil for the session part, lacks an attribute that cannot be done without.
  case missingAttribute(name: String, section: Int?, line: Int)
  /// The only occurrences of a needed attribute cannot be understood.
  case malformedAttribute(name: String, section: Int?, line: Int, expected: String)
  /// Two sections carry the same `a=mid`.
  case duplicateMid(section: Int, line: Int)
  /// An answer must have as many sections as its offer.
  case sectionCountMismatch(offer: Int, answer: Int)
  /// A section of the answer differs from the offer's in what must be the same.
  case sectionMismatch(section: Int, line: Int, expected: String)
  /// An accepted section stands outside the BUNDLE group; one connection has one transport.
  case notBundled(section: Int, line: Int)
  /// The `a=setup` values of offer and answer don't make one client and one server.
  case dtlsRoleConflict(offer: DTLSSetup, answer: DTLSSetup, line: Int)
  /// Every section is rejected, so there is no transport.
  case nothingAccepted
}

extension SDPError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLarge(let bytes): "description of \(bytes) bytes, at most \(SDPLimits.bytes) are allowed"
    case .tooManyLines: "description of more than \(SDPLimits.lines) lines"
    case .tooManySections(let line): "line \(line): more than \(SDPLimits.sections) media sections"
    case .malformedLine(let line, let expected): "line \(line): expected \(expected)"
    case .missingLine(let line, let expected): "line \(line): expected \(expected) before it"
    case .missingAttribute(let name, let section, let line):
      "line \(line): \(SDPError.place(section)) has no a=\(name)"
    case .malformedAttribute(let name, let section, let line, let expected):
      "line \(line): a=\(name) of \(SDPError.place(section)) should be \(expected)"
    case .duplicateMid(let section, let line): "line \(line): section \(section) repeats another's a=mid"
    case .sectionCountMismatch(let offer, let answer):
      "answer with \(answer) media sections to an offer with \(offer)"
    case .sectionMismatch(let section, let line, let expected):
      "line \(line): section \(section) should be \(expected)"
    case .notBundled(let section, let line):
      "line \(line): section \(section) is accepted but not in the BUNDLE group"
    case .dtlsRoleConflict(let offer, let answer, let line):
      "line \(line): a=setup:\(answer.rawValue) cannot answer a=setup:\(offer.rawValue)"
    case .nothingAccepted: "every media section is rejected"
    }
  }

  private static func place(_ section: Int?) -> String {
    section.map { "section \($0)" } ?? "the session"
  }
}
