/// Which way media flows, seen from the side that writes it (RFC 8866 section 6.7).
package enum MediaDirection: String, Hashable, Sendable, CaseIterable {
  case sendrecv, sendonly, recvonly, inactive

  package init(sends: Bool, receives: Bool) {
    switch (sends, receives) {
    case (true, true): self = .sendrecv
    case (true, false): self = .sendonly
    case (false, true): self = .recvonly
    case (false, false): self = .inactive
    }
  }

  package var sends: Bool { self == .sendrecv || self == .sendonly }
  package var receives: Bool { self == .sendrecv || self == .recvonly }

  /// The same flow, seen from the other side.
  package var reversed: MediaDirection { MediaDirection(sends: receives, receives: sends) }

  /// What both allow, both seen from the same side.
  package func intersection(_ other: MediaDirection) -> MediaDirection {
    MediaDirection(sends: sends && other.sends, receives: receives && other.receives)
  }
}
