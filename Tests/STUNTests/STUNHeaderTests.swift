import STUN
import TestSupport
import Testing
import WireFormat

struct STUNHeaderTests {
  @Test func `class and method bits interleave as RFC 8489 draws them`() {
    #expect(STUNHeader.type(.request, .binding) == 0x0001)
    #expect(STUNHeader.type(.success, .binding) == 0x0101)
    #expect(STUNHeader.type(.failure, .allocate) == 0x0113)
    #expect(STUNHeader.type(.indication, .data) == 0x0017)
    #expect(STUNHeader.type(.success, STUNMethod(rawValue: 0xFFF)) == 0x3FEF)
  }
}
