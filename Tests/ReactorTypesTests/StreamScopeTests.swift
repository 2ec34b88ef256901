import ReactorTypes
import Synchronization
import Testing

@Suite struct StreamScopeTests {
  @Test func `the newest elements are kept, dropped ones are counted`() async throws {
    let source = StreamSource<Int>(capacity: 3)
    let scope = source.scope()
    for number in 1...5 { source.yield(number) }
    source.finish()
    var seen: [Int] = []
    for try await number in scope { seen.append(number) }
    #expect(seen == [3, 4, 5] && source.droppedCount == 2)
  }

  @Test func `closing ends the stream, once, for a reader that waits too`() async throws {
    let closed = Atomic<Int>(0)
    let source = StreamSource<Int>(capacity: 1)
    let scope = source.scope { closed.wrappingAdd(1, ordering: .relaxed) }
    let reader = Task {
      var iterator = scope.makeAsyncIterator()
      return try await iterator.next()
    }
    await Task.yield()
    scope.close()
    scope.close()
    #expect(try await reader.value == nil)
    source.yield(1)
    var iterator = scope.makeAsyncIterator()
    #expect(try await iterator.next() == nil)
    #expect(closed.load(ordering: .relaxed) == 1)
  }

  @Test func `letting go of the scope closes it, an iterator keeps it open`() async throws {
    let closed = Atomic<Int>(0)
    let source = StreamSource<Int>(capacity: 8)
    var iterator: StreamScope<Int>.AsyncIterator? = source.scope { closed.wrappingAdd(1, ordering: .relaxed) }
      .makeAsyncIterator()
    source.yield(7)
    #expect(try await iterator?.next() == 7)
    #expect(closed.load(ordering: .relaxed) == 0)
    iterator = nil
    #expect(closed.load(ordering: .relaxed) == 1)
  }

  @Test func `an error comes after the elements, and once`() async throws {
    struct Broken: Error {}
    let source = StreamSource<Int>(capacity: 8)
    let scope = source.scope()
    source.yield(1)
    source.finish(throwing: Broken())
    var iterator = scope.makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    await #expect(throws: Broken.self) { _ = try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func `cancelling the reader's task ends its wait`() async throws {
    let source = StreamSource<Int>(capacity: 8)
    let scope = source.scope()
    let reader = Task {
      var iterator = scope.makeAsyncIterator()
      return try await iterator.next()
    }
    await Task.yield()
    reader.cancel()
    #expect(try await reader.value == nil)
  }

  @Test func `every element reaches one of many readers`() async throws {
    let source = StreamSource<Int>(capacity: 100_000)
    let scope = source.scope()
    let total = 20_000
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var sum = 0
          for try await number in scope { sum += number }
          return sum
        }
      }
      group.addTask {
        for number in 1...total { source.yield(number) }
        source.finish()
        return 0
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == total * (total + 1) / 2)
  }
}
