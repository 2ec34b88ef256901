import Reactor
import ReactorToolSupport

/// Shows a session as it goes on: a line of figures, the picture where the terminal can, statistics once a second.
struct SessionWatch {
  /// Why it is over.
  enum End {
    /// The time is up, or the pushed file has ended.
    case done
    /// The session ended by itself.
    case dropped
    /// Ctrl-C.
    case interrupted
  }

  /// What is still on its way when the last picture of a file has been pushed comes back within this time.
  private static let tail = Duration.seconds(1)

  private let reactor: Reactor
  private let media: ReceivedMedia
  private let push: VideoPush?
  private let plan: RunPlan
  private let console: Console

  init(_ reactor: Reactor, _ media: ReceivedMedia, _ push: VideoPush?, _ plan: RunPlan, _ console: Console) {
    self.reactor = reactor
    self.media = media
    self.push = push
    self.plan = plan
    self.console = console
  }

  func untilTheEnd() async -> End {
    let start = ContinuousClock.now
    var end = plan.seconds.map { start + .seconds($0) }
    var statisticsDue = start + .seconds(1)
    while reactor.status == .ready {
      if let end, ContinuousClock.now >= end { return .done }
      do {
        try await Task.sleep(for: .milliseconds(plan.showsPreview ? 100 : 250))
      } catch {
        return .interrupted
      }
      if end == nil, let push, push.isFinished { end = ContinuousClock.now + SessionWatch.tail }
      // A file that cannot be read on is no reason to go on without it.
      if push?.failure != nil { return .done }
      let figures = media.figures
      if plan.showsStatistics, ContinuousClock.now >= statisticsDue {
        statisticsDue += .seconds(1)
        if let stats = try? await reactor.stats() { show(stats, figures) }
      }
      show(figures)
    }
    return Task.isCancelled ? .interrupted : .dropped
  }

  private func show(_ figures: ReceivedMedia.Figures) {
    var text = "in: \(figures.size) \(figures.framesPerSecond)/s, \(figures.frames) pictures, "
    text += "\(figures.soundBlocks) blocks of sound"
    if let push { text += " | out: \(push.pushed) pushed" }
    if figures.echoes > 0 {
      text += ", \(figures.echoes) echoed, \(Figures.milliseconds(figures.echoMilliseconds))"
    }
    var picture: [String] = []
    if plan.showsPreview, let newest = figures.newest {
      let size = console.size
      picture = TerminalPreview.lines(
        [UInt8](newest.pixels), width: Int(newest.width), height: Int(newest.height),
        columns: size.columns - 1, rows: max(1, size.rows - 3))
    }
    console.update(text, picture: picture)
  }

  private func show(_ stats: ConnectionStats, _ figures: ReceivedMedia.Figures) {
    var words = "stats: round trip \(Figures.milliseconds(stats.rttMS)), "
    words +=
      "in \(Figures.bitrate(stats.incomingBitrateBPS)), out \(Figures.bitrate(stats.outgoingBitrateBPS)), "
    words += "\(stats.packetsLost) of \(stats.packetsReceived) packets lost, by \(stats.candidateType ?? "-")"
    console.event(
      "stats",
      [
        "rtt_ms": .field(stats.rttMS), "packet_loss_ratio": .field(stats.packetLossRatio),
        "incoming_bps": .field(stats.incomingBitrateBPS), "outgoing_bps": .field(stats.outgoingBitrateBPS),
        "available_outgoing_bps": .field(stats.availableOutgoingBitrateBPS),
        "frames": .field(figures.frames),
        "frames_per_second": .field(figures.framesPerSecond),
        "packets_lost": .field(stats.packetsLost),
        "packets_received": .field(stats.packetsReceived),
        "candidate_type": .field(stats.candidateType),
      ],
      words: words)
  }
}
