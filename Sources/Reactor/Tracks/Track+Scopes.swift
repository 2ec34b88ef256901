import ReactorTypes

extension Track {
  /// Received pictures as a stream that can be closed; keeps the newest one. Throws as
  /// ``onFrame(_:)-((VideoFrame)->Void)`` does.
  public final func frameScope() throws -> StreamScope<VideoFrame> {
    let source = StreamSource<VideoFrame>(capacity: 1)
    let subscription = try onFrame { (frame: VideoFrame) in source.yield(frame) }
    return try scope(source, subscription)
  }

  /// Received sound as a stream that can be closed; keeps the newest second. Throws as
  /// ``onFrame(_:)-((AudioFrame)->Void)`` does.
  public final func audioScope() throws -> StreamScope<AudioFrame> {
    let source = StreamSource<AudioFrame>(capacity: 100)
    let subscription = try onFrame { (frame: AudioFrame) in source.yield(frame) }
    return try scope(source, subscription)
  }

  /// A scope over `source` that ends with the client.
  private func scope<Frame>(
    _ source: StreamSource<Frame>, _ subscription: Subscription
  ) throws -> StreamScope<Frame> {
    let closing = try client("onFrame").events.onClose { source.finish() }
    return source.scope {
      subscription.cancel()
      closing.cancel()
    }
  }
}
