/// A stream with an end that its reader decides: closing it, or letting go of it, frees what feeds it.
///
/// ```swift
/// let scope = reactor.messageScope()
/// defer { scope.close() }
/// for try await message in scope { show(message) }
/// ```
/// Event streams keep a bounded number of the newest elements; body streams hold their sender back instead.
/// Several iterators share the elements.
public struct StreamScope<Element: Sendable>: AsyncSequence, Sendable {
  /// Streams end by an error of any type, or at their end.
  public typealias Failure = any Error

  /// Reads the stream; keeps it open while it lives.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let storage: StreamScopeStorage<Element>

    /// The next element; nil at the end and after ``StreamScope/close()``.
    public mutating func next() async throws -> Element? {
      try await storage.next()
    }
  }

  let storage: StreamScopeStorage<Element>

  /// A stream for a custom ``HTTPTransport``: `next` is asked for one element after the other, and `onClose` is
  /// called once, when the reader closes the stream, lets go of it, or has read it to its end.
  public init(
    next: @escaping @Sendable () async throws -> Element?, onClose: @escaping @Sendable () -> Void = {}
  ) {
    storage = StreamScopeStorage(next: next, onClose: onClose)
  }

  /// Starts reading. Elements go to whichever iterator asks first.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(storage: storage)
  }

  /// Ends the stream and frees what feeds it. Idempotent, from any thread.
  public func close() {
    storage.close()
  }
}
