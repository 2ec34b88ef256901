import ReactorTypes

extension Reactor {
  /// Calls `handler` with each change of ``status``.
  public final func onStatus(_ handler: @escaping @Sendable (ReactorStatus) -> Void) -> Subscription {
    client.events.status.add(handler)
  }

  /// Calls `handler` with each error: of a failed connect, reconnect or publish, and of a lost connection.
  public final func onError(_ handler: @escaping @Sendable (ReactorError) -> Void) -> Subscription {
    client.events.errors.add(handler)
  }

  /// Calls `handler` with each message of the model, as `{"type": …, "data": …}`; replies to commands included.
  public final func onMessage(_ handler: @escaping @Sendable (JSONValue) -> Void) -> Subscription {
    client.events.messages.add(handler)
  }

  /// Calls `handler` with each message of the platform: `clipReady`, `clipFailed`, `moderation`,
  /// `sessionEnded`. Why a session ended is said here.
  public final func onRuntimeMessage(_ handler: @escaping @Sendable (JSONValue) -> Void) -> Subscription {
    client.events.runtimeMessages.add(handler)
  }

  /// Calls `handler` once for each recvonly track as its media is set up, before `.ready`.
  public final func onTrack(_ handler: @escaping @Sendable (Track) -> Void) -> Subscription {
    client.events.tracks.add(handler)
  }

  /// Calls `handler` once a connect with what the model takes and gives.
  public final func onCapabilities(_ handler: @escaping @Sendable (Capabilities) -> Void) -> Subscription {
    client.events.capabilities.add(handler)
  }

  /// Calls `handler` when ``sessionID`` changes.
  public final func onSessionID(_ handler: @escaping @Sendable (String?) -> Void) -> Subscription {
    client.events.sessionID.add(handler)
  }

  /// Status changes for `for await`; keeps the newest one.
  public final var statusUpdates: AsyncStream<ReactorStatus> { stream(client.events.status, keeping: 1) }

  /// Errors for `for await`; keeps the newest 16.
  public final var errors: AsyncStream<ReactorError> { stream(client.events.errors, keeping: 16) }

  /// The model's messages for `for await`; keeps the newest 64.
  public final var messages: AsyncStream<JSONValue> { stream(client.events.messages, keeping: 64) }

  private func stream<Value: Sendable>(_ list: HandlerList<Value>, keeping count: Int) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(count))
    let subscription = list.add { continuation.yield($0) }
    let closing = client.events.onClose { continuation.finish() }
    continuation.onTermination = { _ in
      subscription.cancel()
      closing.cancel()
    }
    return stream
  }

  /// Status changes as a stream that can be closed; keeps the newest one.
  public final func statusScope() -> StreamScope<ReactorStatus> { scope(client.events.status, keeping: 1) }

  /// Errors as a stream that can be closed; keeps the newest 16.
  public final func errorScope() -> StreamScope<ReactorError> { scope(client.events.errors, keeping: 16) }

  /// The model's messages as a stream that can be closed; keeps the newest 64.
  public final func messageScope() -> StreamScope<JSONValue> { scope(client.events.messages, keeping: 64) }

  /// The platform's messages as a stream that can be closed; keeps the newest 64.
  public final func runtimeMessageScope() -> StreamScope<JSONValue> {
    scope(client.events.runtimeMessages, keeping: 64)
  }

  private func scope<Value: Sendable>(_ list: HandlerList<Value>, keeping count: Int) -> StreamScope<Value> {
    let source = StreamSource<Value>(capacity: count)
    let subscription = list.add { source.yield($0) }
    let closing = client.events.onClose { source.finish() }
    return source.scope {
      subscription.cancel()
      closing.cancel()
    }
  }
}
