import Codecs
import Media
import RTP
import Synchronization
import Testing
import WireFormat

@Suite struct AudioPipelineTests {
  @Test func `pushed samples come out as packets and go in as frames`() throws {
    let threads = FrameThreads()
    let receiver = AudioReceivePipeline(threads: threads)
    let frames = Collector<Int>()
    receiver.setHandler { frame in
      frames.add(frame.samples.count / frame.channels)
    }
    let sequence = Atomic<UInt16>(0)
    let sender = AudioSendPipeline { packet in
      let number = sequence.wrappingAdd(1, ordering: .relaxed).newValue
      receiver.insert(
        ReceivedAudioPacket(
          ssrc: 1, sequenceNumber: number, timestamp: packet.rtpTimestamp,
          marker: packet.isTalkSpurtStart, payload: packet.payload, arrival: MonotonicClock.now()))
    }
    try sender.push([Int16](repeating: 100, count: 16_000), sampleRate: 16_000)
    let seen = frames.wait(for: 20)
    #expect(seen.count >= 20 && seen.allSatisfy { $0 == 480 })
    sender.close()
    receiver.close()
    threads.close()
    #expect(sender.statistics.packetsEncoded > 0 && receiver.statistics.framesDelivered >= 20)
    #expect(throws: MediaError.closed) { try sender.push([0]) }
  }

  @Test func `without a handler packets are let go`() {
    let threads = FrameThreads()
    let receiver = AudioReceivePipeline(threads: threads)
    for number in 0..<30_000 {
      receiver.insert(
        ReceivedAudioPacket(
          ssrc: 1, sequenceNumber: UInt16(truncatingIfNeeded: number),
          timestamp: UInt32(number) * 960, payload: [0xF8, 0xFF, 0xFE], arrival: .origin))
    }
    let statistics = receiver.statistics
    #expect(statistics.packetsUnwatched == 30_000 && statistics.framesDelivered == 0)
    receiver.close()
    threads.close()
  }

  @Test func `other formats are refused by name`() {
    let sender = AudioSendPipeline { _ in }
    #expect(throws: MediaError.self) { try sender.push([1, 2, 3], sampleRate: 48_000, channels: 2) }
    #expect(throws: MediaError.self) { try sender.push([1], sampleRate: 48_000, channels: 3) }
    #expect(throws: MediaError.self) { try sender.push([1], sampleRate: 11_025, channels: 1) }
    #expect(throws: MediaError.self) {
      try sender.push([Int16](repeating: 0, count: 8000 * 61), sampleRate: 8000, channels: 1)
    }
    #expect(throws: Never.self) { try sender.push([], sampleRate: 48_000, channels: 1) }
    sender.close()
  }

  @Test func `pushing faster than time is dropped beyond two seconds, and counted`() throws {
    let sender = AudioSendPipeline { _ in }
    for _ in 0..<20 { try sender.push([Int16](repeating: 0, count: 48_000)) }
    let statistics = sender.statistics
    #expect(statistics.pushesDropped >= 15 && statistics.framesPushed <= 5 * 48_000)
    sender.close()
  }

  @Test func `a full queue refuses new frames and keeps the old`() {
    let queue = AudioFrameQueue()
    let seen = Collector<Int16>()
    queue.setHandler { seen.add($0.samples[0]) }
    for number in 0..<80 as Range<Int16> {
      let samples = [Int16](repeating: number, count: 480)
      samples.withUnsafeBufferPointer { queue.put($0, channels: 1) }
    }
    while queue.deliver() {}
    #expect(seen.all == Array(0..<50))
    #expect(queue.counts.refused == 30 && queue.counts.delivered == 50)
    for number in 100..<110 as Range<Int16> {
      let samples = [Int16](repeating: number, count: 960)
      samples.withUnsafeBufferPointer { queue.put($0, channels: 2) }
    }
    queue.setHandler(nil)
    #expect(!queue.deliver())
    queue.setHandler { seen.add($0.samples[0]) }
    #expect(!queue.deliver() && seen.all.count == 50)
  }
}
