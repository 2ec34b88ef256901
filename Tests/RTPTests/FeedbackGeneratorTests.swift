import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct FeedbackGeneratorTests {
  @Test func `arrivals come back from the feedback within a quarter millisecond, over the wrap`() {
    var random = RandomSource(seed: 2)
    var generator = TransportFeedbackGenerator(localSSRC: 1)
    var arrivals: [UInt16: Instant] = [:]
    var reported: [UInt16: Interval] = [:]
    var lost: Set<UInt16> = []
    var now = Instant.ms(123_456)
    var sequence: UInt16 = 65_000
    var counts: [UInt8] = []
    for _ in 0..<3000 {
      now = now + .milliseconds(random.unit() * 4)
      sequence &+= 1
      if random.unit() < 0.05 {
        lost.insert(sequence)
      } else {
        arrivals[sequence] = now
        generator.handle(sequenceNumber: sequence, mediaSSRC: 7, at: now)
      }
      while let due = generator.nextTimeout, due <= now, let feedback = generator.nextFeedback(at: now) {
        counts.append(feedback.feedbackCount)
        for result in feedback.results {
          if let arrival = result.arrival { reported[result.sequenceNumber] = arrival }
          #expect(result.isReceived == (arrivals[result.sequenceNumber] != nil))
        }
      }
    }
    #expect(reported.count > arrivals.count - 100)
    for (number, arrival) in reported {
      let difference = (arrivals[number] ?? .origin) - Instant(nanoseconds: arrival.nanoseconds)
      #expect(difference.nanoseconds >= 0 && difference <= .microseconds(250))
    }
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $1 == $0 &+ 1 })
  }

  @Test(arguments: [(500.0, 50.0, 56.0), (20, 90, 105)])
  func `a busy path is reported on each 50 ms, a quiet one each 100 ms`(
    rate: Double, shortest: Double, longest: Double
  ) {
    var generator = TransportFeedbackGenerator(localSSRC: 1)
    var times: [Double] = []
    var sequence: UInt16 = 0
    for millisecond in 0..<5000 {
      let now = Instant.ms(Double(millisecond))
      if millisecond % Int(1000 / rate) == 0 {
        generator.handle(sequenceNumber: sequence, mediaSSRC: 1, at: now)
        sequence &+= 1
      }
      if generator.nextFeedback(at: now) != nil {
        times.append(Double(millisecond))
        while generator.nextFeedback(at: now) != nil {}
      }
    }
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.dropFirst(3)
    #expect(!steps.isEmpty)
    #expect(steps.allSatisfy { $0 >= shortest && $0 <= longest })
  }

  @Test func `a late packet is reported again, a silent path not at all, a long gap in several packets`() {
    var generator = TransportFeedbackGenerator(localSSRC: 1)
    #expect(generator.nextTimeout == nil)
    for number in [0, 1, 3] as [UInt16] { generator.handle(sequenceNumber: number, mediaSSRC: 1, at: .ms(0)) }
    let first = generator.nextFeedback(at: .ms(200))
    #expect(first?.results.map(\.isReceived) == [true, true, false, true])
    #expect(generator.nextFeedback(at: .ms(200)) == nil)
    #expect(generator.nextTimeout == nil)
    generator.handle(sequenceNumber: 2, mediaSSRC: 1, at: .ms(210))
    let second = generator.nextFeedback(at: .ms(400))
    #expect(second?.baseSequence == 2)
    #expect(second?.results.map(\.isReceived) == [true, true])
    generator.handle(sequenceNumber: 1000, mediaSSRC: 1, at: .ms(20_000))
    var sizes: [Int] = []
    while let feedback = generator.nextFeedback(at: .ms(20_200)) {
      sizes.append(feedback.statuses.count)
      #expect(RTCPCompound([.transportFeedback(feedback)]).serialized().count < 1000)
    }
    #expect(sizes.reduce(0, +) == 996 || sizes.reduce(0, +) == 997)
    #expect(sizes.count >= 3)
  }

  @Test func `receiver reports go out about once a second, 31 blocks each`() {
    var generator = ReceiverReportGenerator(localSSRC: 1, canonicalName: "me", random: RandomSource(seed: 1))
    #expect(generator.nextTimeout == nil)
    generator.start(at: .ms(0))
    var times: [Double] = []
    for millisecond in 0..<60_000 where generator.isDue(at: .ms(Double(millisecond))) {
      times.append(Double(millisecond))
      let blocks = (0..<40).map { ReportBlock(ssrc: UInt32($0)) }
      let packets = generator.report(blocks, at: .ms(Double(millisecond)))
      #expect(packets.count == 3)
    }
    #expect(times.count > 45 && times.count < 75)
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 >= 500 && $0 <= 1501 })
    #expect(Set(steps).count > 20)
    #expect(generator.report([], at: .ms(70_000)).count == 2)
  }

  @Test func `jitter and loss follow RFC 3550's rules`() {
    var statistics = ReceiveStatistics(clockRate: 8000)
    for number in 0..<1000 where number % 10 != 3 {
      let header = RTPHeader(
        payloadType: 0, sequenceNumber: UInt16(truncatingIfNeeded: 65_000 + number),
        timestamp: UInt32(number) &* 160, ssrc: 1)
      let late = number % 2 == 0 ? 5.0 : 0
      _ = statistics.receive(
        header, payloadBytes: 10, at: .ms(Double(number) * 20 + late), countsForJitter: true)
    }
    #expect(statistics.cumulativeLost == 100)
    // Alternating by 5 ms: 40 units; the lost ones thin it out.
    #expect(statistics.jitter > 30 && statistics.jitter <= 40)
    let report = statistics.takeReport()
    #expect(report.fractionLost == 25)
    #expect(report.highest == UInt32(65_999))
    #expect(statistics.takeReport().fractionLost == 0)
  }
}

@Suite struct RTPDemultiplexerTests {
  private func header(_ ssrc: UInt32, _ payloadType: UInt8) -> RTPHeader {
    RTPHeader(payloadType: payloadType, sequenceNumber: 1, timestamp: 2, ssrc: ssrc)
  }

  private func values(mid: String? = nil, rid: String? = nil, repaired: String? = nil) -> RTPExtensionValues {
    var values = RTPExtensionValues()
    values.mid = mid
    values.rid = rid
    values.repairedRid = repaired
    return values
  }

  @Test func `without signalled SSRC a section is found by mid, then by the SSRC learned from it`() {
    var demultiplexer = RTPDemultiplexer()
    demultiplexer.add(.init(index: 0, mid: "0", payloadTypes: [96, 97]))
    demultiplexer.add(.init(index: 1, mid: "1", payloadTypes: [96, 97]))
    #expect(demultiplexer.section(for: header(5, 96), extensions: values()) == nil)
    #expect(demultiplexer.section(for: header(5, 96), extensions: values(mid: "1")) == 1)
    #expect(demultiplexer.section(for: header(5, 96), extensions: values()) == 1)
    #expect(demultiplexer.section(for: header(5, 96), extensions: values(mid: "0")) == 0)
    #expect(demultiplexer.section(for: header(6, 96), extensions: values(mid: "9")) == nil)
  }

  @Test func `a payload type that only one section uses is enough`() {
    var demultiplexer = RTPDemultiplexer()
    demultiplexer.add(.init(index: 0, payloadTypes: [96, 97]))
    demultiplexer.add(.init(index: 1, payloadTypes: [111]))
    #expect(demultiplexer.section(for: header(1, 96), extensions: values()) == 0)
    #expect(demultiplexer.section(for: header(2, 111), extensions: values()) == 1)
    #expect(demultiplexer.section(for: header(3, 50), extensions: values()) == nil)
    #expect(demultiplexer.section(ofSSRC: 2) == 1)
  }

  @Test func `signalled SSRCs and rids are honoured, and removed with their section`() {
    var demultiplexer = RTPDemultiplexer()
    demultiplexer.add(.init(index: 3, payloadTypes: [96], ssrcs: [77]))
    demultiplexer.add(.init(index: 4, payloadTypes: [96], rids: ["hi"]))
    #expect(demultiplexer.section(for: header(77, 96), extensions: values()) == 3)
    #expect(demultiplexer.section(for: header(8, 96), extensions: values(repaired: "hi")) == 4)
    demultiplexer.remove(index: 3)
    #expect(demultiplexer.section(for: header(77, 50), extensions: values()) == nil)
  }

  @Test func `learned SSRCs are bounded`() {
    var demultiplexer = RTPDemultiplexer()
    demultiplexer.add(.init(index: 0, payloadTypes: [96], ssrcs: [1]))
    for ssrc in 100..<1000 as Range<UInt32> {
      #expect(demultiplexer.section(for: header(ssrc, 96), extensions: values()) == 0)
    }
    #expect(demultiplexer.section(ofSSRC: 100) == nil)
    #expect(demultiplexer.section(ofSSRC: 999) == 0)
    #expect(demultiplexer.section(ofSSRC: 1) == 0)
  }
}
