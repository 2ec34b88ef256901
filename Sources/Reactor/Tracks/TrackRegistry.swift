import Media
import PeerConnection
import ReactorTypes
import Synchronization

/// A client's tracks: their objects, their declarations, and what the SDK knows of their state.
///
/// Track objects and handlers live as long as the client; declarations and connections come and go.
final class TrackRegistry: Sendable {
  enum Publication: Sendable, Hashable {
    case unpublished
    /// The runtime has been asked; pushing must wait for its answer.
    case publishing
    case published
  }

  private struct Entry {
    let track: Track
    let handlers: FrameHandlers
    var publication = Publication.unpublished
    var isPaused = false
    var minimumBPS: Int?
    var maximumBPS: Int?
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// In the order of declaration; empty before capabilities and after `disconnect`.
    var declared: [Capabilities.TrackCapability] = []
    var mids: [String: String] = [:]
    var live: LiveConnection?
    var isReady = false
    /// Tells one connection's publications from the next one's.
    var generation: UInt64 = 0
  }

  private let state = Mutex(State())

  // MARK: Looking up

  /// The object for `name`, made when there is none yet. Before anything is declared any name is taken.
  func track(_ name: String, client: WeakClient) throws -> Track {
    try state.withLock { state in
      if !state.declared.isEmpty, !state.declared.contains(where: { $0.name == name }) {
        let names = state.declared.map(\.name).joined(separator: ", ")
        throw ReactorError(
          .notFound, "there is no track '\(name)'; the session declares: \(names)", operation: "track")
      }
      return TrackRegistry.entry(name, client: client, &state).track
    }
  }

  private static func entry(_ name: String, client: WeakClient, _ state: inout State) -> Entry {
    if let known = state.entries[name] { return known }
    let made = Entry(track: Track(name: name, client: client), handlers: FrameHandlers(trackName: name))
    state.entries[name] = made
    return made
  }

  /// The declared tracks in the order of declaration.
  func all(client: WeakClient) -> [Track] {
    state.withLock { state in
      state.declared.map { TrackRegistry.entry($0.name, client: client, &state).track }
    }
  }

  func declaration(_ name: String) -> Capabilities.TrackCapability? {
    state.withLock { state in state.declared.first { $0.name == name } }
  }

  func handlers(_ name: String, client: WeakClient) -> FrameHandlers {
    state.withLock { TrackRegistry.entry(name, client: client, &$0).handlers }
  }

  /// The media section of each track, by name; empty while there is no connection.
  var mids: [String: String] { state.withLock { $0.mids } }

  func mid(_ name: String) -> String? { state.withLock { $0.mids[name] } }

  func publication(_ name: String) -> Publication {
    state.withLock { $0.entries[name]?.publication ?? .unpublished }
  }

  func isPaused(_ name: String) -> Bool { state.withLock { $0.entries[name]?.isPaused ?? false } }

  var pausedTracks: Set<String> {
    state.withLock { state in Set(state.entries.filter { $0.value.isPaused }.keys) }
  }

  // MARK: Session

  func declare(_ tracks: [Capabilities.TrackCapability]) {
    state.withLock { $0.declared = tracks }
  }

  /// A connection with these mids is being built: received frames go to the handlers of their names.
  func attach(_ live: LiveConnection, mids: [String: String], client: WeakClient) {
    let receiving = state.withLock { state -> [(Capabilities.TrackCapability, FrameHandlers)] in
      state.live = live
      state.mids = mids
      state.generation += 1
      return state.declared.filter { $0.direction == .recvonly }.map { declaration in
        (declaration, TrackRegistry.entry(declaration.name, client: client, &state).handlers)
      }
    }
    for (declaration, handlers) in receiving {
      let update: @Sendable () -> Void = { [weak live, weak handlers] in
        guard let live, let handlers else { return }
        TrackRegistry.update(live, declaration, handlers)
      }
      handlers.setChangeHandler(update)
      update()
    }
  }

  /// Decodes only what somebody listens to.
  private static func update(
    _ live: LiveConnection, _ declaration: Capabilities.TrackCapability, _ handlers: FrameHandlers
  ) {
    switch declaration.kind {
    case .video:
      let handler: VideoReceivePipeline.Handler = { [weak handlers] frame in handlers?.deliver(frame) }
      live.videoReceiver(declaration.name)?.setHandler(handlers.hasVideo ? handler : nil)
    case .audio:
      let handler: AudioReceivePipeline.Handler = { [weak handlers] frame in handlers?.deliver(frame) }
      live.audioReceiver(declaration.name)?.setHandler(handlers.hasAudio ? handler : nil)
    }
  }

  func setReady(_ isReady: Bool) {
    state.withLock { $0.isReady = isReady }
  }

  /// The connection is gone: nothing is published or paused any more.
  func detach() {
    let handlers = state.withLock { state in
      state.live = nil
      state.isReady = false
      state.mids = [:]
      state.generation += 1
      for name in state.entries.keys {
        state.entries[name]?.publication = .unpublished
        state.entries[name]?.isPaused = false
      }
      return state.entries.values.map(\.handlers)
    }
    for one in handlers { one.setChangeHandler(nil) }
  }

  /// The session is over: nothing is declared any more.
  func forgetSession() {
    detach()
    state.withLock { $0.declared = [] }
  }

  func removeAllHandlers() {
    let handlers = state.withLock { $0.entries.values.map(\.handlers) }
    for one in handlers { one.removeAll() }
  }

  // MARK: State of one track

  /// - Returns: the connection's number, to be given back with the outcome; nil when published already.
  func beginPublishing(_ name: String, client: WeakClient) throws -> UInt64? {
    try state.withLock { state in
      switch TrackRegistry.entry(name, client: client, &state).publication {
      case .published: return nil
      case .publishing:
        throw ReactorError(
          .invalidState, "track '\(name)' is being published already; await that call", operation: "publish")
      case .unpublished:
        state.entries[name]?.publication = .publishing
        return state.generation
      }
    }
  }

  /// - Returns: whether the connection is still the one that was asked.
  func endPublishing(_ name: String, generation: UInt64, isGranted: Bool) -> Bool {
    state.withLock { state in
      guard state.generation == generation else { return false }
      state.entries[name]?.publication = isGranted ? .published : .unpublished
      return state.isReady
    }
  }

  func setUnpublished(_ name: String) {
    state.withLock { $0.entries[name]?.publication = .unpublished }
  }

  var publishedTracks: [String] {
    state.withLock { state in state.entries.filter { $0.value.publication == .published }.map(\.key) }
  }

  func setPaused(_ isPaused: Bool, _ name: String) {
    state.withLock { $0.entries[name]?.isPaused = isPaused }
  }

  func setBitrate(_ name: String, minimum: Int?, maximum: Int?, client: WeakClient) -> LiveConnection? {
    state.withLock { state in
      _ = TrackRegistry.entry(name, client: client, &state)
      state.entries[name]?.minimumBPS = minimum
      state.entries[name]?.maximumBPS = maximum
      return state.live
    }
  }

  var bitrates: [(name: String, minimum: Int?, maximum: Int?)] {
    state.withLock { state in
      state.entries.compactMap { name, entry in
        entry.minimumBPS == nil && entry.maximumBPS == nil ? nil : (name, entry.minimumBPS, entry.maximumBPS)
      }
    }
  }

  /// Where pushed frames of a track go.
  ///
  /// - Throws: `.invalidState` naming what stands in the way and what to do about it.
  func pushTarget(_ name: String, kind: TrackKind) throws -> LiveConnection {
    try state.withLock { state in
      func refuse(_ text: String) -> ReactorError {
        ReactorError(.invalidState, text, operation: "pushFrame")
      }
      guard state.isReady, let live = state.live else {
        throw refuse("frames can be pushed while the client is ready only; connect first")
      }
      guard let declared = state.declared.first(where: { $0.name == name }) else {
        throw refuse("the session does not declare a track '\(name)'")
      }
      guard declared.direction == .sendonly else {
        throw refuse("track '\(name)' is received, not sent; push to a sendonly track")
      }
      guard declared.kind == kind else {
        throw refuse(
          "track '\(name)' carries \(declared.kind.rawValue); push \(declared.kind.rawValue) frames to it")
      }
      switch state.entries[name]?.publication ?? .unpublished {
      case .unpublished: throw refuse("track '\(name)' is not published; await publish() first")
      case .publishing:
        throw refuse("track '\(name)' is still being published; await publish() before pushing")
      case .published: break
      }
      guard state.entries[name]?.isPaused != true else {
        throw refuse("track '\(name)' is paused; resume() it before pushing")
      }
      return live
    }
  }
}
