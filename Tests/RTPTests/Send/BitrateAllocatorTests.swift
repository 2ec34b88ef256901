import RTP
import TestSupport
import Testing

@Suite struct BitrateAllocatorTests {
  private func video(_ minimum: Int, _ maximum: Int) -> BitrateAllocator.Demand {
    .init(limits: TrackBitrateLimits(minimum: minimum, maximum: maximum), isAudio: false)
  }

  private func audio(_ minimum: Int, _ maximum: Int) -> BitrateAllocator.Demand {
    .init(limits: TrackBitrateLimits(minimum: minimum, maximum: maximum), isAudio: true)
  }

  @Test func `audio is served first and videos share the rest evenly`() {
    let shares = BitrateAllocator.allocate(
      1_064_000, over: [video(0, 2_500_000), audio(16_000, 64_000), video(0, 2_500_000)])
    #expect(shares == [500_000, 64_000, 500_000])
  }

  @Test func `the lower of both ceilings wins, and what one cannot use goes to the others`() {
    let shares = BitrateAllocator.allocate(3_000_000, over: [video(0, 500_000), video(0, 10_000_000)])
    #expect(shares == [500_000, 2_500_000])
    #expect(BitrateAllocator.allocate(9_000_000, over: [video(0, 500_000)]) == [500_000])
  }

  @Test func `minimums are kept below the target's sum`() {
    #expect(
      BitrateAllocator.allocate(100_000, over: [video(80_000, 500_000), video(90_000, 500_000)]) == [
        80_000, 90_000,
      ])
    #expect(BitrateAllocator.allocate(100_000, over: []) == [])
  }
}
