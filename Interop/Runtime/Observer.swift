import Foundation
import Reactor
import Synchronization

/// What one received picture looked like, without its pixels.
struct SeenPicture: Sendable {
  let at: ContinuousClock.Instant
  let width: Int
  let height: Int
  let frameID: UInt64
  let tag: String?
  /// Sixteen pixels on a line across the middle, as BGR.
  let line: [SIMD3<UInt8>]
  /// The pixel in the bottom right corner, as BGR.
  let corner: SIMD3<UInt8>

  /// Whether it bears the model's mark of an echoed picture.
  var isEcho: Bool { corner.y > 150 && corner.x < 100 && corner.z < 100 }
}

/// Sees all that one client receives.
final class Observer: Sendable {
  private struct State {
    var pictures: [SeenPicture] = []
    var pictureCount = 0
    var samples: [Int16] = []
    var sampleCount = 0
    var statuses: [ReactorStatus] = []
    var errors: [ReactorError] = []
    var notices: [JSONValue] = []
    var messages: [JSONValue] = []
  }

  private let state = Mutex(State())
  private let subscriptions = Mutex<[Subscription]>([])

  init(_ reactor: Reactor) throws {
    let video = try reactor.track("main_video")
    let audio = try reactor.track("main_audio")
    let made = [
      reactor.onStatus { [weak self] status in self?.change { $0.statuses.append(status) } },
      reactor.onError { [weak self] error in self?.change { $0.errors.append(error) } },
      reactor.onRuntimeMessage { [weak self] notice in self?.change { $0.notices.append(notice) } },
      reactor.onMessage { [weak self] message in self?.change { $0.messages.append(message) } },
      try video.onRawFrame { [weak self] frame in self?.see(frame) },
      try audio.onFrame { [weak self] (frame: AudioFrame) in self?.hear(frame) },
    ]
    subscriptions.withLock { $0 = made }
  }

  var pictures: [SeenPicture] { state.withLock { $0.pictures } }
  var pictureCount: Int { state.withLock { $0.pictureCount } }
  var sampleCount: Int { state.withLock { $0.sampleCount } }
  var statuses: [ReactorStatus] { state.withLock { $0.statuses } }
  var errors: [ReactorError] { state.withLock { $0.errors } }
  var notices: [JSONValue] { state.withLock { $0.notices } }
  var messageCount: Int { state.withLock { $0.messages.count } }

  /// What the model said after its first `count` messages.
  func messages(after count: Int) -> [JSONValue] { state.withLock { Array($0.messages.dropFirst(count)) } }

  /// The data of the first message of a type after the first `count` messages.
  func message(_ type: String, after count: Int) -> JSONValue? {
    messages(after: count).first { $0["type"]?.stringValue == type }?["data"]
  }

  /// The newest two seconds of sound at most; one channel.
  var sound: [Int16] { state.withLock { $0.samples } }

  private func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  private func see(_ frame: borrowing RawVideoFrame) {
    let width = Int(frame.width)
    let height = Int(frame.height)
    let pixels = frame.pixels
    func pixel(_ x: Int, _ y: Int) -> SIMD3<UInt8> {
      let at = (y * width + x) * 4
      return SIMD3(pixels[at], pixels[at + 1], pixels[at + 2])
    }
    let picture = SeenPicture(
      at: .now, width: width, height: height, frameID: frame.frameID,
      tag: frame.userData.map { String(decoding: $0, as: UTF8.self) },
      line: (0..<16).map { pixel($0 * width / 16 + width / 32, height / 2) },
      corner: pixel(width - 14, height - 14))
    change { state in
      state.pictureCount += 1
      state.pictures.append(picture)
      if state.pictures.count > 600 { state.pictures.removeFirst(200) }
    }
  }

  private func hear(_ frame: AudioFrame) {
    let channels = max(1, Int(frame.channels))
    let samples = stride(from: 0, to: frame.samples.count, by: channels).map { frame.samples[$0] }
    change { state in
      state.sampleCount += samples.count
      state.samples.append(contentsOf: samples)
      if state.samples.count > 96_000 { state.samples.removeFirst(state.samples.count - 96_000) }
    }
  }
}

/// The frequency of a tone by its rising zero crossings, in Hz.
func frequency(of samples: some Collection<Int16>, sampleRate: Double = 48_000) -> Double {
  let values = Array(samples)
  var crossings: [Double] = []
  for index in values.indices.dropFirst() where values[index - 1] < 0 && values[index] >= 0 {
    let before = Double(values[index - 1])
    crossings.append(Double(index) - Double(values[index]) / (Double(values[index]) - before))
  }
  guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
  return Double(crossings.count - 1) / (last - first) * sampleRate
}

/// This process's resident memory in KiB.
func residentKiB() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  guard let line, let value = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first,
    let size = Int(value)
  else { throw Mismatch(description: "no VmRSS line") }
  return size
}
