import Media
import PeerConnection
import ReactorTypes
import ReactorWire
import Synchronization
import TestRecordings
import WireFormat

/// The runtime's end of one connection: whatever the client says, it answers with what the recorded runtime
/// answered to the same, under the client's request id. Pictures are made here, as media was not recorded.
actor ReplayPeer {
  private nonisolated let loop: NetworkLoop
  nonisolated let live: LiveConnection
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private let script: [(asked: ClientFrame.Payload, answers: [RecordedMessage], id: String)]
  private let generation: WireGeneration
  private let resumed = Mutex(false)
  /// The newest pushed picture's tag.
  private let tag = Tag()
  private var isEnded = false
  private var unanswered: [String] = []
  private var pictures: Task<Void, Never>?

  init(
    _ messages: [RecordedMessage], _ generation: WireGeneration, loop: NetworkLoop, frameThreads: FrameThreads
  ) {
    self.loop = loop
    self.generation = generation
    script = ReplayPeer.script(messages, generation)
    var configuration = LiveConnectionConfiguration()
    configuration.driver.includesLoopback = true
    if generation == .v0 {
      // What an old runtime doesn't mirror is how a client knows it.
      configuration.connection.frameMetadata = false
      configuration.connection.chunkingMaxMessageSize = nil
    }
    let forward = LoopReference<ReplayPeer>()
    live = LiveConnection(configuration: configuration, loop: loop, frameThreads: frameThreads) { event in
      forward.object?.assumeIsolated { $0.handle(event) }
    }
    forward.object = self
  }

  /// What each recorded client message led to: the runtime's messages up to the client's next request.
  private static func script(
    _ messages: [RecordedMessage], _ generation: WireGeneration
  ) -> [(asked: ClientFrame.Payload, answers: [RecordedMessage], id: String)] {
    var result: [(asked: ClientFrame.Payload, answers: [RecordedMessage], id: String)] = []
    for message in messages {
      if !message.fromClient {
        if !result.isEmpty { result[result.count - 1].answers.append(message) }
      } else if let frame = try? WireCodec.decodeClient(message.message, as: generation),
        let payload = frame.payload
      {
        result.append((payload, [], frame.requestID))
      }
    }
    return result
  }

  func answer(_ offer: String, names: [String: String]) throws -> String {
    let sending: Set<String> = ["main_video", "main_audio"]
    let tracks = names.mapValues { name in
      LiveTrack(
        name: name, kind: name.hasSuffix("video") || name == "camera" ? .video : .audio,
        isSending: sending.contains(name))
    }
    let sdp = try live.assumeIsolated { try $0.answer(offer, tracks: tracks) }
    live.videoReceiver("camera")?.setHandler { [tag] frame in
      tag.set(frame.metadata?.userData)
    }
    pictures = Task { [weak self] in
      var number = 0
      while let self, !Task.isCancelled {
        number += 1
        emit(number)
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
    return sdp
  }

  private nonisolated func emit(_ number: Int) {
    guard resumed.withLock({ $0 }), let sender = live.videoSender("main_video") else { return }
    let pixels = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 64 * 64 * 4)
    let userData = tag.value ?? Array("{\"index\":\(number)}".utf8)
    pixels.withUnsafeBytes { try? sender.push(bgra: $0, width: 64, height: 64, userData: userData) }
  }

  private func handle(_ event: LiveConnectionEvent) {
    guard !isEnded, case .message(let label, let bytes, let isText) = event else { return }
    let message = WireMessage(channel: ChannelLabel(label: label), isText: isText, bytes: bytes)
    guard let frame = try? WireCodec.decodeClient(message, as: generation), let payload = frame.payload else {
      unanswered.append("an unreadable message on \(label)")
      return
    }
    switch payload {
    case .resumeTrack("main_video"):
      resumed.withLock { $0 = true }
      live.videoSender("main_video")?.requestKeyframe()
    case .pauseTrack("main_video"): resumed.withLock { $0 = false }
    default: break
    }
    guard let turn = script.first(where: { ReplayPeer.isSame($0.asked, payload) }) else {
      if frame.kind == .request { unanswered.append("\(payload)") }
      return
    }
    for answer in turn.answers { send(answer, insteadOf: turn.id, id: frame.requestID) }
  }

  /// Sends a recorded message; the id in it is the recording's, and becomes the one that waits here.
  private func send(_ recorded: RecordedMessage, insteadOf old: String, id: String) {
    var message = recorded.message
    if var frame = try? WireCodec.decodeServer(message), !frame.requestID.isEmpty, frame.requestID == old {
      frame.requestID = id
      message = WireCodec.encode(frame, as: generation, answering: message.channel) ?? message
    }
    try? live.assumeIsolated {
      try $0.send(message.bytes, isText: message.isText, on: message.channel.rawValue)
    }
  }

  /// Whether two messages ask for the same: the same command, or the same request for the same track.
  private static func isSame(_ left: ClientFrame.Payload, _ right: ClientFrame.Payload) -> Bool {
    switch (left, right) {
    case (.command(let left), .command(let right)): left.type == right.type
    case (.publishTrack(let left), .publishTrack(let right)): left == right
    case (.requestSchema, .requestSchema), (.requestClip, .requestClip),
      (.requestRecording, .requestRecording),
      (.fileUploaded, .fileUploaded):
      true
    default: false
    }
  }

  func close() async -> [String] {
    isEnded = true
    pictures?.cancel()
    await live.close()
    return unanswered
  }
}

private final class Tag: Sendable {
  private let current = Mutex<[UInt8]?>(nil)
  var value: [UInt8]? { current.withLock { $0 } }
  func set(_ value: [UInt8]?) { current.withLock { $0 = value } }
}
