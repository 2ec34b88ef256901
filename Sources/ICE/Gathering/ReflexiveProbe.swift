import STUN
import WireFormat

/// Asks one STUN server for one base's address as seen from outside, and keeps the mapping alive.
struct ReflexiveProbe {
  enum State {
    case asking(STUNTransactionID, RetransmissionSchedule, bytes: [UInt8])
    /// Asks again, to keep the mapping and to see whether it changed.
    case resting(until: Instant)
    case failed
  }

  let base: CandidateBase
  let uri: ICEServerURI
  var server: SocketAddress
  var state: State
  var hasAnswered = false
  var redirections = 0

  var isAsking: Bool { if case .asking = state { true } else { false } }

  var nextTimeout: Instant? {
    switch state {
    case .asking(_, let schedule, _): schedule.next
    case .resting(let until): until
    case .failed: nil
    }
  }
}
