import WireFormat

/// The requests of a conversation that wait for their replies.
///
/// Replies are matched by id. The JSON generation gives clips and schemas no id: there the oldest request of the
/// kind is answered first, and one that timed out keeps its place in the queue for a while, so that its late
/// reply is not taken for the answer to the next request.
struct PendingRequests {
  enum Purpose: Hashable {
    case command, schema, clip, publish, step
  }

  struct Entry {
    let token: RequestToken
    let purpose: Purpose
    let channel: ChannelLabel
    let id: String?
    var deadline: Instant
    /// Timed out or cancelled: only its place in the queue is left, until `deadline`.
    var isLapsed = false
  }

  /// How long a reply without an id may come late and still be recognised as such.
  private static let lapsedFor = Interval.seconds(10)

  private struct Key: Hashable {
    let channel: ChannelLabel
    let id: String
  }

  private var byToken: [RequestToken: Entry] = [:]
  private var byID: [Key: RequestToken] = [:]
  private var withoutID: [Entry] = []

  var count: Int { byToken.count }

  var nextDeadline: Instant? { byToken.values.map(\.deadline).min() }

  mutating func insert(_ entry: Entry) {
    byToken[entry.token] = entry
    if let id = entry.id {
      byID[Key(channel: entry.channel, id: id)] = entry.token
    } else if entry.purpose != .command {
      withoutID.append(entry)
    }
  }

  /// Whether the request was still waiting.
  @discardableResult
  mutating func remove(_ token: RequestToken) -> Bool {
    guard let entry = byToken.removeValue(forKey: token) else { return false }
    if let id = entry.id { byID[Key(channel: entry.channel, id: id)] = nil }
    withoutID.removeAll { $0.token == token }
    return true
  }

  mutating func removeAll() -> [RequestToken] {
    let tokens = byToken.keys.sorted { $0.rawValue < $1.rawValue }
    self = PendingRequests()
    return tokens
  }

  /// The requests whose time is up, oldest first.
  mutating func expire(at now: Instant) -> [RequestToken] {
    let due = byToken.values.filter { $0.deadline <= now }.map(\.token).sorted { $0.rawValue < $1.rawValue }
    for token in due {
      let place = withoutID.firstIndex { $0.token == token }
      guard let place else {
        remove(token)
        continue
      }
      byToken[token] = nil
      withoutID[place].isLapsed = true
      withoutID[place].deadline = now + PendingRequests.lapsedFor
    }
    forgetLapsed(at: now)
    return due
  }

  mutating func forgetLapsed(at now: Instant) {
    withoutID.removeAll { $0.isLapsed && $0.deadline <= now }
  }

  /// The request that `frame` answers, if any. A lapsed one is used up, and nothing is returned.
  mutating func match(_ frame: ServerFrame, channel: ChannelLabel) -> Entry? {
    if !frame.requestID.isEmpty {
      return byID[Key(channel: channel, id: frame.requestID)].flatMap { byToken[$0] }
    }
    let purpose: Purpose
    switch frame.payload {
    case .clipReady, .clipFailed: purpose = .clip
    case .modelSchema: purpose = .schema
    default: return nil
    }
    guard let place = withoutID.firstIndex(where: { $0.purpose == purpose }) else { return nil }
    if withoutID[place].isLapsed {
      withoutID.remove(at: place)
      return nil
    }
    return withoutID[place]
  }
}
