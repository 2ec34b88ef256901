import SDP
import Testing

struct DescriptionParserTests {
  @Test func `an empty text lacks its first line`() {
    #expect(throws: SDPError.missingLine(line: 1, expected: "v=0")) { try SessionDescription(parsing: "") }
  }
}
