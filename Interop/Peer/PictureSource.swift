import Media
import ReactorTypes
import WireFormat

/// Pushes pictures at a steady rate.
struct PictureSource: Sendable {
  private let width: Int
  private let height: Int
  private let framesPerSecond: Double
  /// Blue, green, red, alpha.
  private let patch: [UInt8]
  private let sendsTime: Bool
  private let data: String?

  init(_ arguments: JSONValue) {
    width = max(16, arguments["width"]?.intValue ?? 640)
    height = max(16, arguments["height"]?.intValue ?? 360)
    framesPerSecond = max(1, arguments["fps"]?.doubleValue ?? 30)
    let colour = arguments["colour"]?.arrayValue?.compactMap { $0.intValue.map { UInt8(clamping: $0) } } ?? []
    patch = colour.count == 3 ? [colour[2], colour[1], colour[0], 255] : [0, 0, 200, 255]
    sendsTime = arguments["time"]?.boolValue ?? false
    data = arguments["data"]?.stringValue
  }

  /// Until the task is cancelled or the track ends.
  func push(into sender: VideoSendPipeline) async {
    let clock = ContinuousClock()
    let begin = clock.now
    var picture = StripePicture(width: width, height: height, patch: patch)
    var number = 0
    while !Task.isCancelled {
      picture.draw(number)
      guard push(picture, number, into: sender) else { return }
      number += 1
      try? await clock.sleep(until: begin + .seconds(Double(number) / framesPerSecond))
    }
  }

  private func push(_ picture: StripePicture, _ number: Int, into sender: VideoSendPipeline) -> Bool {
    let tag = data.map { Array("\($0)\(number)".utf8) }
    let time = sendsTime ? MonotonicClock.now().microseconds : nil
    return picture.pixels.withUnsafeBytes { bytes in
      (try? sender.push(bgra: bytes, width: width, height: height, userData: tag, captureTimeUs: time)) != nil
    }
  }
}
