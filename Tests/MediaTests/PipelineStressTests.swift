import Codecs
import Media
import RTP
import Synchronization
import TestSupport
import Testing
import WireFormat

/// Seeded storms over a whole loop of pipelines; run them under the thread and address sanitizers too.
@Suite struct PipelineStressTests {
  @Test(arguments: VideoCodec.allCases, [1, 2, 3] as [UInt64])
  func `size changes, keyframe storms, broken frames and a close at any time`(
    _ codec: VideoCodec, _ seed: UInt64
  ) throws {
    var random = RandomSource(seed: seed)
    let pixels = [UInt8](repeating: 77, count: 400 * 300 * 4)
    let threads = FrameThreads()
    for round in 0..<12 {
      let sender = Monitor<VideoSendPipeline?>(nil)
      let pictures = Atomic<Int>(0)
      let receiver = VideoReceivePipeline(threads: threads) {
        sender.withLock { $0 }?.requestKeyframe()
      }
      let handler: VideoReceivePipeline.Handler = { frame in
        if frame.pixels.count == frame.width * frame.height * 4 { pictures.add(1, ordering: .relaxed) }
      }
      receiver.setHandler(handler)
      let broken = Monitor(RandomSource(seed: seed &* 1000 &+ UInt64(round)))
      let pipeline = VideoSendPipeline(codec: codec, configuration: VideoSendConfiguration()) { frame in
        var frame = frame
        broken.withLock { random in
          guard random.unit() < 0.2, frame.data.count > 4 else { return }
          if random.unit() < 0.5 {
            frame.data.removeLast(Int(random.next() % UInt64(frame.data.count)))
          } else {
            frame.data[Int(random.next() % UInt64(frame.data.count))] ^= 0x55
          }
        }
        receiver.submit(frame)
        if frame.rtpTimestamp & 1 == 0 { sender.withLock { $0 }?.recycle(frame.data) }
      }
      sender.withLock { $0 = pipeline }
      for number in 0..<25 {
        let width = 1 + Int(random.uint16() % 400)
        let height = 1 + Int(random.uint16() % 300)
        switch random.next() % 8 {
        case 0: pipeline.requestKeyframe()
        case 1: pipeline.setTargetBitrate(Int(random.next() % 3_000_000))
        case 2: pipeline.setFrameRateHint(Double(random.next() % 300))
        case 3: receiver.setHandler(random.unit() < 0.5 ? nil : handler)
        case 4: _ = (pipeline.statistics, receiver.statistics)
        default: break
        }
        try pixels.withUnsafeBytes { bytes in
          for repeated in 0..<Int(1 + random.next() % 3) {
            try pipeline.push(
              bgra: UnsafeRawBufferPointer(rebasing: bytes[..<(width * height * 4)]), width: width,
              height: height, userData: repeated == 1 ? [1, 2, 3] : nil,
              captureTimeUs: Int64(truncatingIfNeeded: random.next() % 100_000_000) &+ Int64(number))
          }
        }
      }
      // Any order of closing, from any thread.
      if random.unit() < 0.5 {
        receiver.close()
        pipeline.close()
      } else {
        let closer = WorkerThread(name: "closer") { receiver.close() }
        pipeline.close()
        closer.join()
      }
      sender.withLock { $0 = nil }
    }
    threads.close()
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `audio pipelines survive format changes and a close at any time`(_ seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    let threads = FrameThreads()
    for _ in 0..<20 {
      let receiver = AudioReceivePipeline(threads: threads)
      let heard = Atomic<Int>(0)
      receiver.setHandler { heard.add($0.samples.count, ordering: .relaxed) }
      let sequence = Atomic<UInt16>(0)
      let sender = AudioSendPipeline { packet in
        let number = sequence.wrappingAdd(1, ordering: .relaxed).newValue
        receiver.insert(
          packet.payload, sequenceNumber: number, timestamp: packet.rtpTimestamp,
          marker: packet.isTalkSpurtStart, arrival: MonotonicClock.now())
      }
      for _ in 0..<20 {
        let rate = AudioSendPipeline.sampleRates[Int(random.next() % 6)]
        let channels = 1 + Int(random.next() % 2)
        let count = Int(random.next() % 4000) * channels
        try sender.push([Int16](repeating: 9, count: count), sampleRate: rate, channels: channels)
        if random.unit() < 0.2 { sender.setLoss(percent: Int(random.next() % 40)) }
        if random.unit() < 0.2 { sender.setTargetBitrate(Int(random.next() % 200_000)) }
        if random.unit() < 0.1 { receiver.setHandler(nil) }
      }
      if random.unit() < 0.5 { receiver.close() }
      sender.close()
      receiver.close()
    }
    threads.close()
  }

  @Test func `many pipelines come and go over the same threads`() throws {
    let frames = try VideoReceivePipelineTests.stream(.vp8, frames: 3, width: 32, height: 32)
    let threads = FrameThreads()
    let calls = Atomic<Int>(0)
    for _ in 0..<100 {
      let receivers = (0..<3).map { _ in VideoReceivePipeline(threads: threads) {} }
      for receiver in receivers {
        receiver.setHandler { _ in calls.add(1, ordering: .relaxed) }
        for frame in frames { receiver.submit(frame) }
      }
      for receiver in receivers { receiver.close() }
    }
    threads.close()
    #expect(threads.threads <= FrameThreads.limit)
  }
}
