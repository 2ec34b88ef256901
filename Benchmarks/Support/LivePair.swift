import Media
import PeerConnection
import RTP
import WireFormat

/// Where live connections of a benchmark live: a network thread and frame threads for each of two ends,
/// as two processes would have them.
struct LiveThreads {
  let sending: NetworkLoop
  let receiving: NetworkLoop
  let frames = FrameThreads(name: "bench-frames")

  init() throws {
    sending = try NetworkLoop(name: "bench-send")
    receiving = try NetworkLoop(name: "bench-receive")
  }

  func stop() {
    sending.stop()
    receiving.stop()
    frames.close()
  }
}

/// Two live connections of this process, joined over the machine's own addresses.
final class LivePair: Sendable {
  /// How far the two ends have come, and what has arrived.
  struct Progress: Sendable {
    var openEnds = 0
    var connectedEnds = 0
    var failure: String?
    var bytesReceived = 0
  }

  static let channel = "bench"
  static let track = "video"

  let sender: LiveConnection
  let receiver: LiveConnection
  let progress = Monitor(Progress())

  init(_ threads: LiveThreads, _ configuration: LiveConnectionConfiguration = LiveConnectionConfiguration()) {
    var configuration = configuration
    configuration.driver.includesLoopback = true
    let progress = progress
    sender = LiveConnection(configuration: configuration, loop: threads.sending, frameThreads: threads.frames)
    {
      LivePair.note($0, progress)
    }
    receiver = LiveConnection(
      configuration: configuration, loop: threads.receiving, frameThreads: threads.frames
    ) {
      LivePair.note($0, progress)
    }
  }

  /// A connected pair with a video track of full size and a start of 5 Mbit/s.
  static func withVideo(_ codec: VideoCodec, _ threads: LiveThreads) async throws -> LivePair {
    var configuration = LiveConnectionConfiguration()
    configuration.connection.videoCodecs = [codec]
    configuration.video.adaptsResolution = false
    let pair = LivePair(threads, configuration)
    _ = try await pair.connect(hasVideo: true)
    await pair.sender.setBitrateBounds(minimum: nil, start: 5_000_000, maximum: nil)
    return pair
  }

  private static func note(_ event: LiveConnectionEvent, _ progress: Monitor<Progress>) {
    progress.withLock { state in
      switch event {
      case .stateChanged(.connected): state.connectedEnds += 1
      case .stateChanged(.failed(let reason)): state.failure = reason.description
      case .channelOpened: state.openEnds += 1
      case .message(_, let bytes, _): state.bytesReceived += bytes.count
      default: break
      }
    }
    progress.notifyAll()
  }

  struct Failure: Error {
    let reason: String
  }

  /// When the steps of setting up were done.
  struct Steps {
    var described = Instant.origin
    var connected = Instant.origin
    var open = Instant.origin
  }

  /// Describes, connects and opens a data channel, with a video track where it is wanted.
  func connect(hasVideo: Bool) async throws -> Steps {
    var steps = Steps()
    let sent = hasVideo ? [LiveTrack(name: Self.track, kind: .video, isSending: true)] : []
    let (offer, mids) = try await sender.offer(sent, channels: [LiveChannel(Self.channel)])
    var received: [String: LiveTrack] = [:]
    for (name, mid) in mids { received[mid] = LiveTrack(name: name, kind: .video, isSending: false) }
    let answer = try await receiver.answer(offer, tracks: received)
    try await sender.setAnswer(answer)
    steps.described = MonotonicClock.now()
    try wait { $0.connectedEnds == 2 }
    steps.connected = MonotonicClock.now()
    try wait { $0.openEnds == 2 }
    steps.open = MonotonicClock.now()
    return steps
  }

  /// Sleeps until `condition` holds, ten seconds at most.
  func wait(until condition: @Sendable (Progress) -> Bool) throws {
    let deadline = MonotonicClock.now() + .seconds(10)
    let reason = progress.wait { state -> Monitor<Progress>.Outcome<String?> in
      if condition(state) { return .done(nil) }
      if let failure = state.failure { return .done(failure) }
      return MonotonicClock.now() >= deadline ? .done("nothing for ten seconds") : .sleep(until: deadline)
    }
    if let reason { throw Failure(reason: reason) }
  }

  func close() async {
    await sender.close()
    await receiver.close()
  }
}
