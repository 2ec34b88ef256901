import Foundation
import Reactor
import Synchronization

/// Our half of the comparison (Benchmarks/compare/run): does one task with a running runtime and prints its
/// figures as one line of JSON. `official.py` does the same tasks in the same way.
///
///     compare-client URL connect | receive WIDTHxHEIGHT SECONDS | push WIDTHxHEIGHT SECONDS |
///         calls WIDTHxHEIGHT SECONDS | commands
@main
enum CompareClient {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2, let url = arguments.first else {
      print("usage: compare-client URL connect | (receive | push | calls) WxH SECONDS | commands")
      exit(2)
    }
    let reactor = try Reactor(model: "peer", apiURL: url, local: true)
    let rest = Array(arguments.dropFirst(2))
    let figures: [String: Double]
    switch arguments[1] {
    case "connect": figures = try await ConnectTask.run(reactor)
    case "receive": figures = try await ReceiveTask.run(reactor, rest)
    case "push": figures = try await PushTask.run(reactor, rest)
    case "calls": figures = try await CallsTask.run(reactor, rest)
    case "commands": figures = try await CommandsTask.run(reactor)
    default: exit(2)
    }
    try await reactor.disconnect()
    reactor.close()
    print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
  }
}

enum ConnectTask {
  static func run(_ reactor: Reactor) async throws -> [String: Double] {
    let first = Mutex<Double?>(nil)
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let subscription = try reactor.track("main_video").onRawFrame { _ in
      let isFirst = first.withLock { time in
        guard time == nil else { return false }
        time = Clock.seconds()
        return true
      }
      if isFirst { arrived.finish() }
    }
    defer { subscription.cancel() }
    let begin = Clock.seconds()
    try await reactor.connect()
    let ready = Clock.seconds()
    for await _ in arrivals {}
    guard let firstAt = first.withLock({ $0 }) else { throw CompareError(text: "no frame") }
    return ["ready_ms": (ready - begin) * 1e3, "first_frame_ms": (firstAt - begin) * 1e3]
  }
}

enum ReceiveTask {
  private struct Count {
    var isOn = false
    var frames = 0
    var ages: [Double] = []
  }

  static func run(_ reactor: Reactor, _ arguments: [String]) async throws -> [String: Double] {
    let (width, height, seconds) = try pictureArguments(arguments)
    let count = Mutex(Count())
    let subscription = try reactor.track("main_video").onRawFrame { frame in
      guard frame.width == width, frame.height == height else { return }
      let age = Double(Reactor.timeMicros()) - Double(frame.captureTimeUs)
      count.withLock { count in
        guard count.isOn else { return }
        count.frames += 1
        count.ages.append(age / 1e3)
      }
    }
    defer { subscription.cancel() }
    try await reactor.connect()
    try await reactor.sendCommand(
      "set_resolution", ["width": .number(Double(width)), "height": .number(Double(height))])
    try await Task.sleep(for: .seconds(3))
    count.withLock { $0.isOn = true }
    let (before, begin) = (Clock.processorSeconds(), Clock.seconds())
    try await Task.sleep(for: .seconds(seconds))
    let (used, elapsed) = (Clock.processorSeconds() - before, Clock.seconds() - begin)
    let result = count.withLock { count in
      count.isOn = false
      return count
    }
    return [
      "frames_per_s": Double(result.frames) / elapsed,
      "cpu_ms_per_frame": used * 1e3 / Double(max(1, result.frames)),
      "emit_to_handler_ms": median(result.ages), "rss_mb": try residentMegabytes(),
    ]
  }
}

enum PushTask {
  private struct Echoes {
    var pushed: [Data: Double] = [:]
    var times: [Double] = []
  }

  static func run(_ reactor: Reactor, _ arguments: [String]) async throws -> [String: Double] {
    let (width, height, seconds) = try pictureArguments(arguments)
    let echoes = Mutex(Echoes())
    let subscription = try reactor.track("main_video").onRawFrame { frame in
      let now = Clock.seconds()
      guard let bytes = frame.userData else { return }
      let tag = Data(bytes)
      echoes.withLock { echoes in
        if let begin = echoes.pushed.removeValue(forKey: tag) { echoes.times.append((now - begin) * 1e3) }
      }
    }
    defer { subscription.cancel() }
    try await reactor.connect()
    let camera = try reactor.track("camera")
    try await camera.publish()
    let pictures = movingPictures(width: Int(width), height: Int(height))
    let count = Int(seconds * 30)
    let begin = Clock.seconds()
    for number in 0..<count {
      let tag = Data("n\(number)".utf8)
      let at = Clock.seconds()
      echoes.withLock { $0.pushed[tag] = at }
      try camera.pushFrame(pictures[number % 8], width: width, height: height, userData: tag)
      try await Task.sleep(for: .seconds(max(0, begin + Double(number + 1) / 30 - Clock.seconds())))
    }
    try await Task.sleep(for: .seconds(1))
    let times = echoes.withLock { $0.times }
    return [
      "echo_ms": median(Array(times[(times.count / 2)...])),
      "echoed": Double(times.count) / Double(count),
    ]
  }

}

/// The time of a call where nothing else happens: pictures are pushed at a rate that leaves the machine idle.
enum CallsTask {
  static func run(_ reactor: Reactor, _ arguments: [String]) async throws -> [String: Double] {
    let (width, height, seconds) = try pictureArguments(arguments)
    try await reactor.connect()
    let camera = try reactor.track("camera")
    try await camera.publish()
    let pictures = movingPictures(width: Int(width), height: Int(height))
    var calls: [Double] = []
    for number in 0..<Int(seconds * 10) {
      let at = Clock.seconds()
      try camera.pushFrame(pictures[number % 8], width: width, height: height)
      calls.append((Clock.seconds() - at) * 1e3)
      try await Task.sleep(for: .milliseconds(100))
    }
    return ["push_call_ms": median(calls)]
  }
}

enum CommandsTask {
  static func run(_ reactor: Reactor) async throws -> [String: Double] {
    try await reactor.connect()
    var small: [Double] = []
    for number in 0..<220 {
      let begin = Clock.seconds()
      try await reactor.sendCommand("set_prompt", ["prompt": .string("prompt \(number)")])
      if number >= 20 { small.append((Clock.seconds() - begin) * 1e3) }
    }
    let text = String(repeating: "0123456789", count: 100_000)
    var large: [Double] = []
    for number in 0..<11 {
      let begin = Clock.seconds()
      let reply = try await reactor.sendCommand("echo", ["text": .string(text)])
      if number >= 1 { large.append((Clock.seconds() - begin) * 1e3) }
      guard reply?.data?["text"]?.stringValue == text else {
        throw CompareError(text: "another text came back")
      }
    }
    return ["command_ms": median(small), "echo_1mb_ms": median(large)]
  }
}

struct CompareError: Error {
  let text: String
}

enum Clock {
  static func seconds() -> Double { seconds(CLOCK_MONOTONIC) }
  static func processorSeconds() -> Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// A gradient that moves sideways, BGRA.
private func movingPictures(width: Int, height: Int) -> [Data] {
  (0..<8).map { number in
    var pixels = Data(count: width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let at = (y * width + (x + number * 16) % width) * 4
        pixels[at] = UInt8(truncatingIfNeeded: x)
        pixels[at + 1] = UInt8(truncatingIfNeeded: y)
        pixels[at + 3] = 255
      }
    }
    return pixels
  }
}

private func pictureArguments(_ arguments: [String]) throws -> (UInt32, UInt32, Double) {
  let sides = (arguments.first ?? "").split(separator: "x").compactMap { UInt32($0) }
  guard sides.count == 2, arguments.count == 2, let seconds = Double(arguments[1]) else {
    throw CompareError(text: "wanted: WIDTHxHEIGHT SECONDS")
  }
  return (sides[0], sides[1], seconds)
}

private func median(_ values: [Double]) -> Double {
  values.isEmpty ? .nan : values.sorted()[values.count / 2]
}

private func residentMegabytes() throws -> Double {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  return (fields.count > 1 ? Double(fields[1]) ?? 0 : 0) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
}
