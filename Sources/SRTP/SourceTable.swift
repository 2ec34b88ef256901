import WireFormat

/// The SSRCs of one direction, so that their number is bounded and their rollovers are counted.
///
/// libsrtp makes a stream (some kilobytes) for each SSRC and keeps it for as long as the session lives.
struct SourceTable {
  enum Place {
    case known(Int)
    case new
  }

  private struct Source {
    let ssrc: UInt32
    var newest: UInt16?
  }

  let limit: Int
  private var sources: [Source] = []
  // Packets come in runs of one SSRC: the last hit is tried first.
  private var recent = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Where `ssrc` stands or could stand; nil when the table is full.
  mutating func place(of ssrc: UInt32) -> Place? {
    if recent < sources.count, sources[recent].ssrc == ssrc { return .known(recent) }
    for index in sources.indices where sources[index].ssrc == ssrc {
      recent = index
      return .known(index)
    }
    return sources.count < limit ? .new : nil
  }

  /// Remembers the source of an authentic packet. `sequence` is nil for RTCP.
  ///
  /// - Returns: whether the sequence number went over 65535.
  mutating func note(_ ssrc: UInt32, at place: Place, sequence: UInt16?) -> Bool {
    guard case .known(let index) = place else {
      recent = sources.count
      sources.append(Source(ssrc: ssrc, newest: sequence))
      return false
    }
    guard let sequence else { return false }
    guard let newest = sources[index].newest else {
      sources[index].newest = sequence
      return false
    }
    guard sequence.isNewer(than: newest) else { return false }
    sources[index].newest = sequence
    return sequence < newest
  }
}
