import Codecs
import Media
import Testing

@Suite struct PicturePoolTests {
  @Test func `a pool reuses pictures of its size and forgets others`() throws {
    let pool = PicturePool<I420Buffer>(limit: 2)
    let first = try pool.take(width: 64, height: 48)
    pool.give(first)
    #expect(try pool.take(width: 64, height: 48) === first)
    pool.give(first)
    #expect(try pool.take(width: 32, height: 48).width == 32)
    pool.give(first)
    #expect(try pool.take(width: 32, height: 48).width == 32)
    #expect(pool.allocations == 3)
  }
}
