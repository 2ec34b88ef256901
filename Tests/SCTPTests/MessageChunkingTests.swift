import SCTP
import Testing
import TestSupport
import WireFormat

struct MessageChunkingTests {
  private func fragments(
    _ chunker: MessageChunker, _ bytes: [UInt8], isText: Bool = false
  ) throws -> [[UInt8]] {
    var iterator = try chunker.fragments(of: bytes, isText: isText)
    var result: [[UInt8]] = []
    while let fragment = iterator.next() { result.append(fragment) }
    return result
  }

  @Test func `small messages are one fragment with a header byte`() throws {
    let chunker = MessageChunker(maximumMessageSize: 1000)
    #expect(try fragments(chunker, [7, 8]) == [[0, 7, 8]])
    #expect(try fragments(chunker, [7], isText: true) == [[2, 7]])
    #expect(try fragments(chunker, []) == [[0]])
  }

  @Test(arguments: [65_534, 65_535, 65_536, 131_070, 131_071, 1_000_000])
  func `large ones are cut at 65 536 bytes and come back whole`(size: Int) throws {
    let chunker = MessageChunker(maximumMessageSize: 1 << 26, remoteMaxMessageSize: 262_144)
    let bytes = pattern(size)
    let parts = try fragments(chunker, bytes, isText: true)
    #expect(parts.count == (size + 65_534) / 65_535)
    #expect(parts.dropLast().allSatisfy { $0.count == 65_536 && $0[0] == 3 })
    #expect(parts.last?.first == 2)
    var reassembler = MessageReassembler()
    var whole: MessageReassembler.Message?
    for part in parts {
      #expect(whole == nil)
      whole = try reassembler.accept(part)
    }
    #expect(whole == .init(bytes: bytes, isText: true))
    #expect(!reassembler.isInMessage)
  }

  @Test func `fragments keep to the peer's max-message-size`() throws {
    #expect(MessageChunker(maximumMessageSize: nil, remoteMaxMessageSize: 1000).fragmentSize == 1000)
    #expect(MessageChunker(maximumMessageSize: nil, remoteMaxMessageSize: 0).fragmentSize == 65_536)
    #expect(MessageChunker(maximumMessageSize: nil, remoteMaxMessageSize: nil).fragmentSize == 65_536)
    #expect(MessageChunker(maximumMessageSize: nil).maximumMessageSize == 262_144)
    #expect(
      try fragments(MessageChunker(maximumMessageSize: 10, remoteMaxMessageSize: 3), [1, 2, 3, 4, 5])
        == [[1, 1, 2], [1, 3, 4], [0, 5]])
  }

  @Test func `a message over the peer's limit is refused with both sizes`() {
    #expect(throws: ChunkingError.messageTooLarge(size: 11, limit: 10)) {
      _ = try MessageChunker(maximumMessageSize: 10).fragments(of: pattern(11), isText: false)
    }
  }

  @Test func `a header byte alone is a valid empty message`() throws {
    var reassembler = MessageReassembler()
    #expect(try reassembler.accept([0]) == .init(bytes: [], isText: false))
    #expect(try reassembler.accept([2]) == .init(bytes: [], isText: true))
    _ = try reassembler.accept([1, 5])
    #expect(try reassembler.accept([0]) == .init(bytes: [5], isText: false))
  }

  @Test func `malformed fragments are errors and stay so`() throws {
    let cases: [([[UInt8]], ChunkingError)] = [
      ([[]], .emptyFragment),
      ([[4, 1]], .reservedBits(4)),
      ([Array("{\"a\":1}".utf8)], .reservedBits(UInt8(ascii: "{"))),
      ([[1, 1], [2, 1]], .textBitChanged),
      ([[3, 1], [0, 1]], .textBitChanged),
      ([[1]], .emptyContinuation),
      ([[0] + pattern(65_536)], .fragmentTooLarge(size: 65_537)),
      ([[1] + pattern(60), [1] + pattern(41)], .reassembledTooLarge(limit: 100)),
      ([[0] + pattern(101)], .reassembledTooLarge(limit: 100)),
    ]
    for (input, expected) in cases {
      var reassembler = MessageReassembler(maximumMessageSize: 100)
      for fragment in input.dropLast() { _ = try reassembler.accept(fragment) }
      #expect(throws: expected) { _ = try reassembler.accept(input[input.count - 1]) }
      #expect(!reassembler.isInMessage)
      #expect(throws: expected) { _ = try reassembler.accept([0, 1]) }
    }
    var reassembler = MessageReassembler()
    #expect(throws: ChunkingError.textMessage) {
      _ = try reassembler.accept(Array("\u{0}hello".utf8), isTextMessage: true)
    }
  }

  @Test func `random fragments never exceed the limit`() {
    for seed in UInt64(0)..<200 {
      var random = RandomSource(seed: seed)
      var reassembler = MessageReassembler(maximumMessageSize: 500)
      for _ in 0..<100 {
        let header = UInt8(truncatingIfNeeded: random.next() & 3)
        let fragment = [header] + random.bytes(Int(random.next() % 60))
        guard let message = try? reassembler.accept(fragment) else { continue }
        #expect(message.bytes.count <= 500, "seed \(seed)")
      }
    }
  }
}
