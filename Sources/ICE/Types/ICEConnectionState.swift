/// Where the connection stands (W3C's RTCIceTransportState, by this agent's rules).
package enum ICEConnectionState: Sendable, Hashable {
  /// No checks yet.
  case new
  /// Checks run, nothing usable yet.
  case checking
  /// A pair carries data; checks may go on, and a better pair may take over.
  case connected
  /// A pair is nominated and no check is outstanding.
  case completed
  /// The selected pair has been silent for about 5 s. Answers bring ``connected`` back.
  case disconnected
  /// Nothing works, or consent ran out (30 s). Only a restart leads out.
  case failed
  case closed
}
