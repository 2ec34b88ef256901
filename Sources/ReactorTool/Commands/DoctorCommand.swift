import Foundation
import Reactor
import ReactorLocalRuntime
import ReactorToolSupport

/// Says in words what is wrong with this machine.
enum DoctorCommand: Command {
  static let description = CommandDescription(
    name: "doctor", summary: "checks libraries, UDP, addresses and a whole local session",
    discussion: """
      Each check says what it found and, when that is not well, what to do. Succeeds
      unless a check finds something broken.
      """,
    options: [.init("json", help: "one JSON object a check")],
    examples: ["reactor doctor"])

  static func run(_ options: CommandLineOptions, console: Console) async throws -> ToolStatus {
    var isBroken = false
    func tell(_ finding: Finding) {
      if finding.grade == .broken { isBroken = true }
      let mark =
        switch finding.grade {
        case .ok: "ok      "
        case .warning: "warning "
        case .broken: "BROKEN  "
        }
      console.event(
        "check",
        [
          "check": .string(finding.check), "grade": .string(finding.grade.rawValue),
          "words": .string(finding.words),
        ], words: "\(mark)\(finding.check): \(finding.words)")
    }
    tell(LoadedLibraries.check())
    tell(NetworkChecks.loopback())
    tell(NetworkChecks.interfaces())
    tell(credentials())
    tell(await localSession())
    return isBroken ? .failure : .success
  }

  private static func credentials() -> Finding {
    let environment = ProcessInfo.processInfo.environment
    guard let name = ["REACTOR_JWT", "REACTOR_API_KEY"].first(where: { environment[$0]?.isEmpty == false })
    else {
      return Finding(
        "credentials", .warning,
        "neither REACTOR_API_KEY nor REACTOR_JWT is set: local runtimes work, the hosted platform does not")
    }
    return Finding("credentials", .ok, "\(name) is set")
  }

  /// A session with a runtime in this process, up to its first picture.
  private static func localSession() async -> Finding {
    let name = "local session"
    var runtime: LocalRuntime?
    var client: Reactor?
    var finding: Finding
    do {
      let started = try LocalRuntime(model: EchoModel(width: 320, height: 180))
      runtime = started
      let reactor = try Reactor(model: "reactor/echo", apiURL: started.url, local: true)
      client = reactor
      let media = ReceivedMedia()
      let subscription = try reactor.track("main_video").onFrame { (frame: VideoFrame) in media.take(frame) }
      try await reactor.connect()
      let end = ContinuousClock.now + .seconds(5)
      while media.figures.frames == 0, ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(20))
      }
      subscription.cancel()
      finding =
        media.figures.frames > 0
        ? Finding(name, .ok, "HTTP, ICE, DTLS, SRTP and the decoder work: a picture came")
        : Finding(name, .broken, "it connected, but within 5 s no picture came")
    } catch {
      finding = Finding(name, .broken, "\(error)")
    }
    if let client { await Ending.leave(client) }
    if let runtime { await Ending.stop(runtime) }
    return finding
  }
}
