import Media
import RTP
import WireFormat

/// A live connection's tracks with their pipelines, by name and by mid.
struct LiveTrackTable {
  private struct Entry {
    let track: LiveTrack
    let mid: String
    var videoSender: VideoSendPipeline?
    var audioSender: AudioSendPipeline?
    var videoReceiver: VideoReceivePipeline?
    var audioReceiver: AudioReceivePipeline?
    var codec: VideoCodec?
  }

  private let configuration: LiveConnectionConfiguration
  private let frameThreads: FrameThreads
  private var entries: [Entry] = []

  init(configuration: LiveConnectionConfiguration, frameThreads: FrameThreads) {
    self.configuration = configuration
    self.frameThreads = frameThreads
  }

  /// Adds a track. A receiving one gets its pipeline at once, so that handlers can be set early.
  mutating func add(_ track: LiveTrack, mid: String, onKeyframeNeeded: @escaping @Sendable () -> Void) {
    guard !entries.contains(where: { $0.mid == mid }) else { return }
    var entry = Entry(track: track, mid: mid)
    if !track.isSending {
      switch track.kind {
      case .video:
        entry.videoReceiver = VideoReceivePipeline(
          cores: configuration.cores, threads: frameThreads, onKeyframeNeeded: onKeyframeNeeded)
      case .audio: entry.audioReceiver = AudioReceivePipeline(threads: frameThreads)
      }
    }
    entries.append(entry)
  }

  var sendingMids: [String] { entries.filter(\.track.isSending).map(\.mid) }

  /// Makes the encoder of a sending track, now that its codec is known; nil when the peer refused the track.
  mutating func prepareSender(
    mid: String, codec: NegotiatedSender?, onFrame: @escaping @Sendable (EncodedVideoFrame) -> Void,
    onPacket: @escaping @Sendable (OutgoingAudioPacket) -> Void
  ) {
    guard let index = entries.firstIndex(where: { $0.mid == mid }), let codec else { return }
    switch codec {
    case .video(let codec):
      guard entries[index].videoSender == nil else { return }
      entries[index].codec = codec
      entries[index].videoSender = VideoSendPipeline(
        codec: codec, configuration: configuration.video, onFrame: onFrame)
    case .audio:
      guard entries[index].audioSender == nil else { return }
      let clock = AudioCaptureClock()
      entries[index].audioSender = AudioSendPipeline(configuration: configuration.audio) { packet in
        onPacket(clock.packet(packet, at: MonotonicClock.now()))
      }
    }
  }

  func mid(of name: String) -> String? { entries.first { $0.track.name == name }?.mid }

  func videoSender(name: String) -> VideoSendPipeline? {
    entries.first { $0.track.name == name }?.videoSender
  }
  func audioSender(name: String) -> AudioSendPipeline? {
    entries.first { $0.track.name == name }?.audioSender
  }
  func videoReceiver(name: String) -> VideoReceivePipeline? {
    entries.first { $0.track.name == name }?.videoReceiver
  }
  func audioReceiver(name: String) -> AudioReceivePipeline? {
    entries.first { $0.track.name == name }?.audioReceiver
  }

  func videoSender(mid: String) -> VideoSendPipeline? { entries.first { $0.mid == mid }?.videoSender }
  func videoReceiver(mid: String) -> VideoReceivePipeline? { entries.first { $0.mid == mid }?.videoReceiver }
  func audioReceiver(mid: String) -> AudioReceivePipeline? { entries.first { $0.mid == mid }?.audioReceiver }

  func setTargetBitrate(_ bitsPerSecond: Int, mid: String) {
    guard let entry = entries.first(where: { $0.mid == mid }) else { return }
    entry.videoSender?.setTargetBitrate(bitsPerSecond)
    entry.audioSender?.setTargetBitrate(bitsPerSecond)
  }

  var statistics: (receivers: [String: VideoReceiveStatistics], senders: [String: VideoSendStatistics]) {
    var receivers: [String: VideoReceiveStatistics] = [:]
    var senders: [String: VideoSendStatistics] = [:]
    for entry in entries {
      if let receiver = entry.videoReceiver { receivers[entry.mid] = receiver.statistics }
      if let sender = entry.videoSender { senders[entry.mid] = sender.statistics }
    }
    return (receivers, senders)
  }

  /// Takes all pipelines out; the caller closes them, where waiting for threads is allowed.
  mutating func removeAll() -> EndedPipelines {
    defer { entries.removeAll() }
    for entry in entries {
      entry.videoReceiver?.setHandler(nil)
      entry.audioReceiver?.setHandler(nil)
    }
    return EndedPipelines(
      videoSenders: entries.compactMap(\.videoSender), audioSenders: entries.compactMap(\.audioSender),
      videoReceivers: entries.compactMap(\.videoReceiver), audioReceivers: entries.compactMap(\.audioReceiver)
    )
  }
}

/// What a sending section was negotiated to carry.
package enum NegotiatedSender: Sendable, Hashable {
  case video(VideoCodec)
  case audio
}

/// Pipelines that are no longer used and whose threads are still to be joined.
struct EndedPipelines: Sendable {
  let videoSenders: [VideoSendPipeline]
  let audioSenders: [AudioSendPipeline]
  let videoReceivers: [VideoReceivePipeline]
  let audioReceivers: [AudioReceivePipeline]

  var isEmpty: Bool {
    videoSenders.isEmpty && audioSenders.isEmpty && videoReceivers.isEmpty && audioReceivers.isEmpty
  }

  func close() {
    for pipeline in videoSenders { pipeline.close() }
    for pipeline in audioSenders { pipeline.close() }
    for pipeline in videoReceivers { pipeline.close() }
    for pipeline in audioReceivers { pipeline.close() }
  }
}
