import RTP
import WireFormat

/// Video frames through packetizer, pacer, stamping and history; then with feedback.
///
/// A second of 30 frames is the unit. The clock is virtual: this measures the work, not the pacing.
enum RTPSendBenchmark {
  private static let extensions = HeaderExtensionMap([
    (2, .absoluteSendTime), (3, .transportSequenceNumber), (4, .mid),
  ])

  static func run(_ table: inout Table) {
    for hasFeedback in [false, true] { measure(hasFeedback: hasFeedback, &table) }
  }

  private static func measure(hasFeedback: Bool, _ table: inout Table) {
    let pool = PacketPool(limit: 4096)
    var settings = SendTransport.Settings()
    settings.bounds = BitrateBounds(minimum: 20_000_000, start: 20_000_000)
    let transport = SendTransport(
      settings: settings, clock: WallClock(unixNanoseconds: 0, at: .origin), pool: pool,
      random: RandomSource(seed: 1))
    let parameters = StreamParameters(
      ssrc: 1, payloadType: 96, clockRate: 90_000, rtx: RTXParameters(ssrc: 2, payloadType: 97), mid: "0",
      extensions: extensions)
    guard
      let track = transport.addVideo(
        parameters, codec: .vp8, limits: TrackBitrateLimits(maximum: 20_000_000), appendsFrameMetadata: false,
        at: .origin)
    else { return }
    var frame = EncodedVideoFrame(
      codec: .vp8, data: [UInt8](repeating: 1, count: 40_000), isKeyframe: true, rtpTimestamp: 0)
    var now = Instant.origin + .seconds(1)
    var packets = 0
    var generator = TransportFeedbackGenerator(localSSRC: 3)

    func second() {
      for _ in 0..<30 {
        frame.rtpTimestamp &+= 3000
        _ = transport.send(frame, track: track, at: now)
        let end = now + .milliseconds(33)
        while let next = transport.nextTimeout(), next < end {
          now = max(now, next)
          transport.handleTimeout(at: now)
          while let buffer = transport.nextTransmit(at: now) {
            packets += 1
            if hasFeedback {
              let header = try? RTPHeader(parsing: buffer.bytes)
              let values = header.map { RTPExtensionValues(of: $0, in: buffer.bytes, map: extensions) }
              if let number = values?.transportSequenceNumber {
                generator.handle(sequenceNumber: number, mediaSSRC: 1, at: now)
              }
            }
            pool.give(buffer)
          }
          _ = transport.nextReports(at: now)
          now += .microseconds(50)
        }
        while let feedback = generator.nextFeedback(at: now) {
          transport.handle(.transportFeedback(feedback), at: now)
        }
        while transport.nextEvent() != nil {}
        now = max(now, end)
      }
    }

    for _ in 0..<5 { second() }
    packets = 0
    let mallocs = AllocationCount.now
    let start = threadSeconds()
    for _ in 0..<60 { second() }
    let each = (threadSeconds() - start) / Double(max(1, packets))
    let made = Double(AllocationCount.now - mallocs) / Double(max(1, packets))
    table.add(
      .text(hasFeedback ? "sent, with feedback" : "sent"), .number(each * 1e6), .number(1 / each),
      .number(made))
  }
}
