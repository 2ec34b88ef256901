/// What became of bytes that were handed in.
package enum ICEInput: Hashable, Sendable {
  /// They were the agent's own: STUN, or TURN's framing of it.
  case consumed
  /// The part `range` is the application's; it came over a known pair.
  case application(range: Range<Int>, pair: ICEPairID)
  /// Nobody's: from an address without a pair, or damaged.
  case ignored
}
