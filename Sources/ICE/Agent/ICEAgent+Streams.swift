import WireFormat

/// TURN over TCP and TLS: the driver owns the connections.
extension ICEAgent {
  /// The connection stands (with TLS: after its handshake); `local` is its own address.
  package func streamConnected(_ id: ICEStreamID, local: SocketAddress?, at now: Instant) {
    guard state != .closed, let client = gatherer.client(stream: id) else { return }
    client.streamConnected(local: local, at: now)
    settle(at: now)
  }

  /// The connection did not come about, or broke.
  package func streamFailed(_ id: ICEStreamID, at now: Instant) {
    guard state != .closed, let client = gatherer.client(stream: id) else { return }
    client.streamFailed(at: now)
    settle(at: now)
  }

  /// Takes bytes of a stream, cut anywhere. Application datagrams in them go to `application`, one by one;
  /// the bytes are valid during the call.
  package func handleStream(
    _ bytes: RawSpan, from id: ICEStreamID, at now: Instant,
    application: (_ datagram: RawSpan, _ pair: ICEPairID) -> Void
  ) {
    guard state != .closed, let client = gatherer.client(stream: id) else { return }
    client.append(bytes)
    while let frame = client.nextFrame() {
      let output = client.handle(frame.rawSpan, at: now)
      let input = take(output, of: client, in: frame.rawSpan, at: now)
      if case .application(let range, let pair) = input {
        application(frame.rawSpan.clamped(range), pair)
      }
    }
    client.checkStream(at: now)
    settle(at: now)
  }
}
