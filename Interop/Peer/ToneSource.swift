import Foundation
import Media
import ReactorTypes

/// Pushes a sine at the pace of its samples.
struct ToneSource: Sendable {
  private let hertz: Double
  private let rate: Int
  private let channels: Int

  init(_ arguments: JSONValue) {
    hertz = arguments["hertz"]?.doubleValue ?? 440
    rate = arguments["rate"]?.intValue ?? 48_000
    channels = arguments["channels"]?.intValue ?? 1
  }

  /// Until the task is cancelled or the track ends.
  func push(into sender: AudioSendPipeline) async {
    let clock = ContinuousClock()
    let begin = clock.now
    var sent = 0
    while !Task.isCancelled {
      let count = rate / 50
      let samples = (sent..<sent + count).flatMap { index in
        let value = sin(2 * .pi * hertz * Double(index) / Double(rate)) * 8192
        return [Int16](repeating: Int16(value), count: channels)
      }
      guard (try? sender.push(samples, sampleRate: rate, channels: channels)) != nil else { return }
      sent += count
      try? await clock.sleep(until: begin + .seconds(Double(sent) / Double(rate)))
    }
  }
}
