import STUN
import WireFormat

/// A Binding request to the peer that waits for its answer.
struct CheckTransaction {
  enum Purpose {
    /// Retransmitted until the pair counts as failed (RFC 8445 section 14.3).
    case check
    /// The same, with USE-CANDIDATE.
    case nomination
    /// One shot, on a valid pair: ``PairLiveness``.
    case consent
  }

  let id: STUNTransactionID
  let pair: CandidatePair
  let purpose: Purpose
  let role: ICERole
  let bytes: [UInt8]
  var schedule: RetransmissionSchedule
  /// Superseded by a triggered check: not sent again, but an answer still counts.
  var isCancelled = false
}
