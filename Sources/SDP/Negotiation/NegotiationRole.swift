/// Who wrote the offer, seen from this side.
package enum NegotiationRole: Hashable, Sendable {
  /// The local description is the offer, the remote one the answer.
  case offerer
  /// The local description is the answer, the remote one the offer.
  case answerer
}
