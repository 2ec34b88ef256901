import Digest
import Media
import PeerConnection
import ReactorTypes
import SDP
import Synchronization
import WireFormat

/// One connection under a driver's hand, with the threads that a client of the SDK has.
actor Peer {
  private let name: String
  private let output: LineOutput
  private let loop: NetworkLoop
  private let frameThreads: FrameThreads
  private let live: LiveConnection
  private let echoed: EchoedChannels
  private var videoObservers: [String: VideoObserver] = [:]
  private var audioObservers: [String: AudioObserver] = [:]
  private var sources: [String: Task<Void, Never>] = [:]

  init(name: String, configuration: LiveConnectionConfiguration, output: LineOutput) throws {
    self.name = name
    self.output = output
    loop = try NetworkLoop(name: "peer-network")
    frameThreads = FrameThreads(name: "peer-frames")
    let echoed = EchoedChannels()
    self.echoed = echoed
    let weak = WeakConnection()
    live = LiveConnection(configuration: configuration, loop: loop, frameThreads: frameThreads) { event in
      output.write(PeerEvents.json(event, peer: name))
      if case .message(let label, let bytes, let isText) = event, echoed.contains(label) {
        weak.connection?.assumeIsolated { try? $0.send(bytes, isText: isText, on: label) }
      }
    }
    weak.connection = live
  }

  func result(of call: String, _ arguments: JSONValue) async throws -> JSONValue {
    switch call {
    case "offer": return try await offer(arguments)
    case "answer": return try await answer(arguments)
    case "setAnswer":
      try await live.setAnswer(try arguments.text("sdp"))
      return [:]
    case "restart": return ["sdp": .string(try await live.offerICERestart())]
    case "candidate":
      await live.addRemoteCandidate(try arguments.text("candidate"))
      return [:]
    case "openChannel":
      try await live.openChannel(try arguments.channel())
      return [:]
    case "closeChannel":
      try await live.closeChannel(try arguments.text("label"))
      return [:]
    case "send": return try await send(arguments)
    case "echo":
      echoed.set(try arguments.text("label"), isOn: arguments["on"]?.boolValue ?? true)
      return [:]
    case "pictures", "tone", "stopPictures", "stopTone": return try startOrStop(call, arguments)
    case "report": return try report(arguments)
    case "bitrate":
      await live.setBitrateBounds(
        minimum: arguments["minimum"]?.intValue, start: arguments["start"]?.intValue,
        maximum: arguments["maximum"]?.intValue)
      return [:]
    case "stats":
      guard let statistics = await live.statistics() else { throw CallError("not connected yet") }
      return PeerStatistics.json(statistics)
    default: throw CallError("there is no call \(call)")
    }
  }

  func close() async {
    stopSources()
    await live.close()
    release()
  }

  func abandon() async {
    stopSources()
    await live.abandon()
    release()
  }

  private func stopSources() {
    for source in sources.values { source.cancel() }
    sources.removeAll()
  }

  private func release() {
    frameThreads.close()
    loop.stop()
  }

  // MARK: Descriptions

  private func offer(_ arguments: JSONValue) async throws -> JSONValue {
    let tracks = try (arguments["tracks"]?.arrayValue ?? []).map { try $0.track() }
    let channels = try (arguments["channels"]?.arrayValue ?? []).map { try $0.channel() }
    let (sdp, mids) = try await live.offer(tracks, channels: channels)
    watch(tracks)
    return ["sdp": .string(sdp), "mids": .object(mids.mapValues { .string($0) })]
  }

  private func answer(_ arguments: JSONValue) async throws -> JSONValue {
    let offer = try arguments.text("sdp")
    var tracks: [String: LiveTrack] = [:]
    if let wanted = arguments["tracks"]?.objectValue {
      for (mid, track) in wanted { tracks[mid] = try track.track() }
    } else {
      for section in try SessionDescription(parsing: offer).media {
        guard let mid = section.mid, section.kind == .video || section.kind == .audio else { continue }
        tracks[mid] = LiveTrack(
          name: mid, kind: section.kind == .video ? .video : .audio,
          isSending: section.direction?.sends == false)
      }
    }
    let sdp = try await live.answer(offer, tracks: tracks)
    watch(Array(tracks.values))
    return ["sdp": .string(sdp)]
  }

  private func watch(_ tracks: [LiveTrack]) {
    for track in tracks where !track.isSending {
      if let receiver = live.videoReceiver(track.name), videoObservers[track.name] == nil {
        let observer = VideoObserver()
        videoObservers[track.name] = observer
        receiver.setHandler { observer.see($0) }
      }
      if let receiver = live.audioReceiver(track.name), audioObservers[track.name] == nil {
        let observer = AudioObserver()
        audioObservers[track.name] = observer
        receiver.setHandler { observer.hear($0) }
      }
    }
  }

  // MARK: Messages

  private func send(_ arguments: JSONValue) async throws -> JSONValue {
    let label = try arguments.text("label")
    let text = arguments["text"]?.stringValue
    var random = RandomSource(seed: UInt64(clamping: arguments["seed"]?.intValue ?? 1))
    let bytes = text.map { Array($0.utf8) } ?? random.bytes(arguments["size"]?.intValue ?? 0)
    try await live.send(bytes, isText: text != nil, on: label)
    return ["size": .number(Double(bytes.count)), "sha256": .string(PeerEvents.sha256(bytes))]
  }

  // MARK: Media

  private func startOrStop(_ call: String, _ arguments: JSONValue) throws -> JSONValue {
    let track = try arguments.text("track")
    switch call {
    case "pictures":
      guard let sender = live.videoSender(track) else { throw CallError("\(track) sends no video") }
      let source = PictureSource(arguments)
      sources.updateValue(Task.detached { await source.push(into: sender) }, forKey: track)?.cancel()
    case "tone":
      guard let sender = live.audioSender(track) else { throw CallError("\(track) sends no audio") }
      let source = ToneSource(arguments)
      sources.updateValue(Task.detached { await source.push(into: sender) }, forKey: track)?.cancel()
    default: sources.removeValue(forKey: track)?.cancel()
    }
    return [:]
  }

  private func report(_ arguments: JSONValue) throws -> JSONValue {
    let spot = arguments["spot"]?.arrayValue?.compactMap(\.doubleValue) ?? []
    let isReset = arguments["reset"]?.boolValue ?? false
    var video: [String: JSONValue] = [:]
    var audio: [String: JSONValue] = [:]
    for (name, observer) in videoObservers {
      if spot.count == 2 { observer.look(at: (spot[0], spot[1])) }
      var figures = observer.report(reset: isReset)
      if let counted = live.videoReceiver(name)?.statistics {
        figures["skipped"] = .number(Double(counted.framesSkipped))
        figures["decodeErrors"] = .number(Double(counted.decodeErrors))
        figures["keyframeRequests"] = .number(Double(counted.keyframeRequests))
      }
      video[name] = .object(figures)
    }
    for (name, observer) in audioObservers {
      var figures = observer.report(reset: isReset)
      if let counted = live.audioReceiver(name)?.statistics {
        figures["concealed"] = .number(Double(counted.playout.samplesConcealed))
        figures["interruptions"] = .number(Double(counted.playout.interruptions))
      }
      audio[name] = .object(figures)
    }
    return ["video": .object(video), "audio": .object(audio)]
  }
}

/// The channels whose messages go back.
private final class EchoedChannels: Sendable {
  private let labels = Mutex<Set<String>>([])

  func set(_ label: String, isOn: Bool) {
    labels.withLock { labels in
      if isOn { labels.insert(label) } else { labels.remove(label) }
    }
  }

  func contains(_ label: String) -> Bool { labels.withLock { $0.contains(label) } }
}

/// Set once, before the first event can come, and read on the network thread: hence unchecked.
private final class WeakConnection: @unchecked Sendable {
  weak var connection: LiveConnection?
}
