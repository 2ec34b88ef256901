import STUN
import WireFormat

/// A request to a TURN server that waits for its answer.
struct TURNRequest {
  enum Kind: Hashable {
    case allocate
    /// Lifetime 0 gives the allocation back.
    case refresh(lifetime: UInt32?)
    case createPermission(IPAddress)
    case channelBind(SocketAddress, UInt16)
  }

  let kind: Kind
  let id: STUNTransactionID
  let bytes: [UInt8]
  var schedule: RetransmissionSchedule
  let isSigned: Bool
  /// How often this request was challenged by 401 or 438; each repetition carries the count on, and a
  /// success ends it.
  let challenges: Int
}

extension TURNRequest.Kind {
  var method: STUNMethod {
    switch self {
    case .allocate: .allocate
    case .refresh: .refresh
    case .createPermission: .createPermission
    case .channelBind: .channelBind
    }
  }
}
