import WireFormat

/// Look-ups of peers' host names that are under way, one a name.
struct NameResolutions {
  struct Entry {
    let id: ICEResolutionID
    let name: String
    var candidates: [ICECandidate]
    let deadline: Instant
  }

  private var entries: [Entry] = []

  var count: Int { entries.count }
  var nextDeadline: Instant? { entries.map(\.deadline).min() }

  /// False when the name is being looked up already; the candidate then shares the answer (at most 8 do).
  mutating func add(
    _ id: ICEResolutionID, name: String, candidate: ICECandidate, deadline: Instant
  ) -> Bool {
    if let index = entries.firstIndex(where: { $0.name == name }) {
      if entries[index].candidates.count < 8 { entries[index].candidates.append(candidate) }
      return false
    }
    entries.append(Entry(id: id, name: name, candidates: [candidate], deadline: deadline))
    return true
  }

  mutating func remove(_ id: ICEResolutionID) -> Entry? {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
    return entries.remove(at: index)
  }

  /// Names that took too long.
  mutating func expire(at now: Instant) -> [String] {
    let late = entries.filter { $0.deadline <= now }.map(\.name)
    entries.removeAll { $0.deadline <= now }
    return late
  }
}
