import ReactorTypes

/// Which media section carries which track.
package struct TrackMapping: Hashable, Sendable {
  package var mid: String
  package var name: String
  package var kind: TrackKind
  package var direction: TrackDirection

  package init(mid: String, name: String, kind: TrackKind, direction: TrackDirection) {
    self.mid = mid
    self.name = name
    self.kind = kind
    self.direction = direction
  }

  var json: JSONValue {
    [
      "mid": .string(mid), "name": .string(name), "kind": .string(kind.rawValue),
      "direction": .string(direction.rawValue),
    ]
  }
}
