import Foundation
import ICE
import Reactor
import ReactorLocalRuntime
import ReactorToolSupport

/// Says in words what is wrong with this machine.
enum DoctorCommand: Command {
  static let description = CommandDescription(
    name: "doctor", summary: "checks libraries, UDP, STUN and TURN, the platform, and a local session",
    discussion: """
      Each check says what it found and, when that is not well, what to do. Succeeds
      unless a check finds something broken.

      The platform and a public STUN server are asked as well, unless --offline; that
      they do not answer is a warning, since local runtimes need neither. What you name
      yourself has to answer. A TURN server's password is read from
      REACTOR_TURN_PASSWORD, since other users of a machine can see command lines.
      """,
    options: [
      .init("offline", help: "nothing outside this machine"),
      .init("api-url", value: "URL", help: "the platform to ask (or REACTOR_API_URL)"),
      .init("server", value: "URI", repeats: true, help: "a STUN or TURN server to ask"),
      .init("username", value: "NAME", help: "for the TURN servers"),
      .init("json", help: "one JSON object a check"),
    ],
    examples: [
      "reactor doctor", "reactor doctor --offline", "reactor doctor --server stun:stun.example.org",
      "REACTOR_TURN_PASSWORD=… reactor doctor --username me --server 'turn:turn.example.org?transport=tcp'",
    ])

  static func run(_ options: CommandLineOptions, console: Console) async throws -> ToolStatus {
    let outside = try Outside(options)
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
    tell(credentials(options.environment))
    if let apiURL = outside.apiURL {
      tell(await PlatformCheck.check(apiURL).atMost(outside.isPlatformAsked ? .broken : .warning))
    }
    for (server, uri) in outside.servers {
      let finding = uri.scheme.isTURN ? await RelayCheck.check(server, uri) : await BindingCheck.check(uri)
      tell(finding.atMost(outside.areServersAsked ? .broken : .warning))
    }
    tell(await localSession())
    return isBroken ? .failure : .success
  }

  /// What is asked outside this machine, and whether the user named it.
  private struct Outside {
    var apiURL: String?
    var isPlatformAsked = false
    var servers: [(ICEServer, ICEServerURI)] = []
    var areServersAsked = false

    init(_ options: CommandLineOptions) throws {
      let environment = options.environment
      let named = options.text("api-url") ?? environment["REACTOR_API_URL"]
      isPlatformAsked = named != nil
      let texts = options.all("server").map(\.value)
      areServersAsked = !texts.isEmpty
      guard !options.has("offline") else {
        guard !areServersAsked, options.text("api-url") == nil else {
          throw UsageError("--offline asks nobody: leave out --server and --api-url")
        }
        return
      }
      apiURL = named ?? Reactor.defaultAPIURL
      let username = options.text("username")
      let password = environment["REACTOR_TURN_PASSWORD"]
      servers = try (texts.isEmpty ? [BindingCheck.publicServer] : texts).map { text in
        let uri: ICEServerURI
        do { uri = try ICEServerURI(text) } catch { throw UsageError("'\(text)' names no server: \(error)") }
        if uri.scheme.isTURN, username == nil || password == nil {
          throw UsageError("\(text) needs --username, and a password in REACTOR_TURN_PASSWORD")
        }
        return (ICEServer(uris: [uri], username: username, password: password), uri)
      }
    }
  }

  private static func credentials(_ environment: [String: String]) -> Finding {
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
