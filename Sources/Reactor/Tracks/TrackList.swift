import ReactorTypes

/// A session's tracks, in the order in which the model declares them.
public struct TrackList: Sendable, RandomAccessCollection {
  /// A track.
  public typealias Element = Track
  /// A place in the list.
  public typealias Index = Int

  private let tracks: [Track]

  init(_ tracks: [Track]) {
    self.tracks = tracks
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// How many tracks there are.
  public var endIndex: Int { tracks.count }
  /// The track at `position`, which must be inside.
  public subscript(position: Int) -> Track { tracks[position] }

  /// Those of one kind, in the same order.
  public func withKind(_ kind: TrackKind) -> TrackList {
    TrackList(tracks.filter { $0.kind == kind })
  }

  /// Those of one direction, in the same order.
  public func withDirection(_ direction: TrackDirection) -> TrackList {
    TrackList(tracks.filter { $0.direction == direction })
  }

  /// The only track of the list.
  ///
  /// Throws ``ReactorError/notFound`` when there is none, ``ReactorError/conflict`` when there are several,
  /// with their names.
  public func one() throws -> Track {
    guard let first = tracks.first else {
      throw ReactorError(.notFound, "there is no such track in this session", operation: "one")
    }
    guard tracks.count == 1 else {
      let names = tracks.map(\.name).joined(separator: ", ")
      throw ReactorError(
        .conflict, "there are \(tracks.count) such tracks: \(names); pick one by its name", operation: "one")
    }
    return first
  }
}
