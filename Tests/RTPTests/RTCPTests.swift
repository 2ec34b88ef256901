import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct RTCPTests {
  static let samples: [RTCPPacket] = [
    .senderReport(
      SenderReport(
        ssrc: 1, ntpTime: NTPTime(rawValue: 0x0123_4567_89AB_CDEF), rtpTimestamp: 5, packetCount: 6,
        octetCount: 7,
        reports: [
          ReportBlock(
            ssrc: 9, fractionLost: 128, cumulativeLost: -5, highestSequence: 0x1_FFFF, jitter: 3,
            lastSenderReport: 4, delaySinceLastSenderReport: 65_536)
        ])),
    .receiverReport(ReceiverReport(ssrc: 2, reports: [])),
    .sourceDescription(
      SourceDescription(chunks: [
        .init(ssrc: 3, canonicalName: "a"), .init(ssrc: 4, canonicalName: "abcdef"),
        .init(ssrc: 5, canonicalName: nil),
      ])),
    .goodbye(Goodbye(sources: [1, 2, 3])),
    .nack(GenericNACK(senderSSRC: 1, mediaSSRC: 2, lost: [5, 6, 22, 500])),
    .pictureLossIndication(PictureLossIndication(senderSSRC: 1, mediaSSRC: 2)),
    .fullIntraRequest(FullIntraRequest(senderSSRC: 1, entries: [.init(ssrc: 8, sequenceNumber: 255)])),
    .receiverEstimatedMaximumBitrate(
      ReceiverEstimatedMaximumBitrate(senderSSRC: 1, bitrateBPS: 2_500_000, ssrcs: [5, 6])),
    .transportFeedback(
      TransportFeedback(
        senderSSRC: 1, mediaSSRC: 2, baseSequence: 65_530, referenceTime: -3, feedbackCount: 255,
        statuses: [.received(delta: 4), .notReceived, .received(delta: -300), .receivedWithoutTime])),
  ]

  @Test(arguments: samples)
  func `each packet is read as it was written`(packet: RTCPPacket) throws {
    let bytes = RTCPCompound([packet]).serialized()
    #expect(bytes.count % 4 == 0)
    #expect(Int(bytes[2]) << 8 + Int(bytes[3]) == bytes.count / 4 - 1)
    #expect(try RTCPCompound(bytes: bytes).packets == [packet])
  }

  @Test func `a compound keeps its order, and a packet broken inside costs itself only`() throws {
    let bytes = RTCPCompound(RTCPTests.samples).serialized()
    #expect(try RTCPCompound(bytes: bytes).packets == RTCPTests.samples)
    // A sender report that announces more blocks than it holds, then a PLI.
    let broken = hex(
      "9fc80006 00000001 0000000000000000 00000000 00000000 00000000 81ce0002 00000001 00000002")
    let compound = try RTCPCompound(bytes: broken)
    #expect(compound.malformedCount == 1)
    #expect(
      compound.packets == [
        .pictureLossIndication(PictureLossIndication(senderSSRC: 1, mediaSSRC: 2))
      ])
  }

  @Test func `extended reports and other formats are passed over`() throws {
    let bytes = hex("80cf0001 00000001 8fce0003 00000001 00000000 41424344 81ce0002 00000001 00000002")
    let packets = try RTCPCompound(bytes: bytes).packets
    #expect(
      packets == [
        .unknown(type: 207, format: 0), .unknown(type: 206, format: 15),
        .pictureLossIndication(PictureLossIndication(senderSSRC: 1, mediaSSRC: 2)),
      ])
  }

  @Test(arguments: [
    ("", RTPError.truncated), ("80c9", .truncated), ("80c90002 00000001", .truncated),
    ("40c90001 00000001", .unsupportedVersion(1)), ("a0c90001 00000000", .invalidPadding),
  ])
  func `bytes that are no RTCP are an error`(text: String, error: RTPError) {
    #expect(throws: error) { try RTCPCompound(bytes: hex(text)) }
  }

  @Test func `padding is cut off`() throws {
    let bytes = hex("a1ce0003 00000001 00000002 00000004")
    #expect(
      try RTCPCompound(bytes: bytes).packets == [
        .pictureLossIndication(PictureLossIndication(senderSSRC: 1, mediaSSRC: 2))
      ])
  }

  @Test(
    arguments: [
      (
        Array(2...19) as [UInt16],
        [GenericNACK.Entry(packetID: 2, followingLost: 0xFFFF), .init(packetID: 19, followingLost: 0)]
      ),
      ([65_534, 65_535], [.init(packetID: 65_534, followingLost: 1)]),
      ([65_535, 0, 16], [.init(packetID: 65_535, followingLost: 1), .init(packetID: 16, followingLost: 0)]),
      ([7, 7], [.init(packetID: 7, followingLost: 0)]),
    ] as [([UInt16], [GenericNACK.Entry])])
  func `lost packets are packed as number and mask`(lost: [UInt16], entries: [GenericNACK.Entry]) {
    let nack = GenericNACK(senderSSRC: 1, mediaSSRC: 2, lost: lost)
    #expect(nack.entries == entries)
    #expect(Set(nack.lost) == Set(lost))
  }

  @Test func `transport feedback of every chunk kind is read`() throws {
    // Run of 2 small deltas; one-bit vector 1 0 1 then zeros; two-bit vector small, large, not received, ...
    let body = "00000001 00000002 0005 0017 00000a 07 2002 a800 d800 0000"
    let text = "8fcd0009" + body + "0404 04 04 04 8000"
    var bytes = hex(text)
    while bytes.count % 4 != 0 { bytes.append(0) }
    bytes[3] = UInt8(bytes.count / 4 - 1)
    let compound = try RTCPCompound(bytes: bytes)
    guard case .transportFeedback(let feedback)? = compound.packets.first else {
      Issue.record("no feedback")
      return
    }
    #expect(feedback.baseSequence == 5)
    #expect(feedback.referenceTime == 10)
    #expect(feedback.feedbackCount == 7)
    #expect(feedback.statuses.count == 23)
    #expect(feedback.statuses[0] == .received(delta: 4))
    #expect(feedback.statuses[2] == .received(delta: 4))
    #expect(feedback.statuses[3] == .notReceived)
    #expect(feedback.statuses[4] == .received(delta: 4))
    #expect(feedback.statuses[16] == .received(delta: 4))
    #expect(feedback.statuses[17] == .received(delta: -32_768))
    #expect(feedback.results.count == 23)
  }

  @Test func `any pattern of transport feedback survives writing, and no chunk is wasted`() throws {
    var random = RandomSource(seed: 5)
    for round in 0..<300 {
      let density = random.unit()
      let statuses = (0..<Int(random.next() % 300 + 1)).map { _ -> TransportFeedback.Status in
        if random.unit() > density { return .notReceived }
        switch random.next() % 20 {
        case 0: return .received(delta: Int16(truncatingIfNeeded: random.next()))
        case 1: return .receivedWithoutTime
        default: return .received(delta: Int16(random.next() % 256))
        }
      }
      let feedback = TransportFeedback(
        senderSSRC: 1, mediaSSRC: 2, baseSequence: random.uint16(), referenceTime: -1,
        feedbackCount: UInt8(round & 255), statuses: statuses)
      let bytes = RTCPCompound([.transportFeedback(feedback)]).serialized()
      #expect(try RTCPCompound(bytes: bytes).packets == [.transportFeedback(feedback)])
      #expect(bytes.count <= 20 + statuses.count * 2 + (statuses.count / 7 + 1) * 2 + 4)
    }
  }

  @Test(arguments: [0 as UInt64, 1, 262_143, 262_144, 1_000_000, 5_000_000_000, .max])
  func `REMB keeps 18 bits of precision`(bitrate: UInt64) throws {
    let estimate = ReceiverEstimatedMaximumBitrate(senderSSRC: 1, bitrateBPS: bitrate, ssrcs: [1])
    let bytes = RTCPCompound([.receiverEstimatedMaximumBitrate(estimate)]).serialized()
    guard
      case .receiverEstimatedMaximumBitrate(let read)? = try RTCPCompound(bytes: bytes).packets.first
    else {
      Issue.record("no estimate")
      return
    }
    #expect(read.bitrateBPS <= bitrate)
    #expect(Double(read.bitrateBPS) >= Double(bitrate) * 0.99999)
  }

  @Test func `a report block gives the round trip, and nonsense gives none`() {
    let now = NTPTime(unixNanoseconds: 1_700_000_000_500_000_000)
    let sent = NTPTime(unixNanoseconds: 1_700_000_000_000_000_000)
    var block = ReportBlock(ssrc: 1, lastSenderReport: sent.compact, delaySinceLastSenderReport: 65_536 / 4)
    #expect(abs((block.roundTripTime(at: now) ?? .zero).inMilliseconds - 250) < 1)
    block.delaySinceLastSenderReport = 65_536
    #expect(block.roundTripTime(at: now) == nil)
    block.lastSenderReport = 0
    #expect(block.roundTripTime(at: now) == nil)
  }
}
