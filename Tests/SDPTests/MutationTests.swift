import SDP
import Testing
import TestSupport
import WireFormat

/// Damaged descriptions: nothing may trap, and what parses must survive being written.
struct MutationTests {
  static let mutantsPerRun = 10_000

  @Test(arguments: UInt64(1)...10)
  func `mutants of the recordings neither trap nor change when written`(seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    let texts = try MutationTests.bases()
    var parsed = 0
    for _ in 0..<MutationTests.mutantsPerRun {
      let base = texts[Int.random(in: 0..<texts.count, using: &random)]
      let mutant = String(decoding: mutated(base, texts: texts, &random), as: UTF8.self)
      guard let description = try? SessionDescription(parsing: mutant) else { continue }
      parsed += 1
      let text = description.serialized()
      guard try SessionDescription(parsing: text) == description else {
        Issue.record("seed \(seed): a mutant changes when it is written")
        return
      }
      if parsed % 4 == 0 { negotiate(description) }
    }
    // Most single faults cost a line, not the description.
    #expect(parsed > MutationTests.mutantsPerRun / 4)
  }

  /// The recordings, and each of their sections with the session part alone: shorter texts make more of each
  /// fault, and more mutants a second.
  private static func bases() throws -> [[UInt8]] {
    var texts: [[UInt8]] = []
    for (index, path) in RecordedDescriptionTests.paths.enumerated() {
      let description = try SessionDescription(parsing: try Fixture.text(path))
      if index % 8 == 0 { texts.append(Array(description.serialized().utf8)) }
      for section in description.media {
        var short = description
        short.media = [section]
        texts.append(Array(short.serialized().utf8))
      }
    }
    return texts
  }

  private func negotiate(_ description: SessionDescription) {
    for index in description.media.indices {
      _ = description.media[index].streams
      _ = description.iceCredentials(ofSection: index)
    }
    guard
      let answer = try? Samples.answer.description(answering: description, media: Samples.answerSection)
    else { return }
    _ = try? NegotiatedSession(local: answer, remote: description, role: .answerer)
    _ = try? NegotiatedSession(local: description, remote: answer, role: .offerer)
    _ = Samples.offer.description(following: description)
  }

  private func mutated(_ base: [UInt8], texts: [[UInt8]], _ random: inout RandomSource) -> [UInt8] {
    var bytes = base
    if random.next() % 8 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.remove(at: at)
      case 3: bytes.insert(UInt8.random(in: 0..<128, using: &random), at: at)
      case 4: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...80, using: &random)))
      case 5:
        let end = min(bytes.count, at + Int.random(in: 1...200, using: &random))
        bytes.insert(contentsOf: bytes[at..<end], at: Int.random(in: 0...bytes.count, using: &random))
      case 6:
        let tokens = [
          "\r\n", "\n", " ", ":", "=", "/", "0", "-1", "99999999999999999999", "\0", ";", "m=", "a=",
        ]
        let token = tokens[Int.random(in: 0..<tokens.count, using: &random)]
        bytes.insert(contentsOf: token.utf8, at: at)
      case 7: swapLines(&bytes, &random)
      default:
        let other = texts[Int.random(in: 0..<texts.count, using: &random)]
        let from = Int.random(in: 0..<other.count, using: &random)
        bytes.replaceSubrange(at..<min(bytes.count, at + 40), with: other[from..<min(other.count, from + 40)])
      }
    }
    return bytes
  }

  private func swapLines(_ bytes: inout [UInt8], _ random: inout RandomSource) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    lines.swapAt(
      Int.random(in: 0..<lines.count, using: &random), Int.random(in: 0..<lines.count, using: &random))
    bytes = Array(lines.joined(separator: [0x0A]))
  }
}
