import SCTP
import Testing
import TestSupport
import WireFormat

/// The handshake and every collision of RFC 9260 section 5.2.
struct HandshakeTests {
  /// An association with its packets in hand.
  private final class End {
    let association: SCTPAssociation
    var events: [String] = []
    private let buffer = PacketBuffer()

    init(seed: UInt64, configuration: SCTPConfiguration = SCTPConfiguration()) {
      association = SCTPAssociation(configuration: configuration, random: RandomSource(seed: seed))
    }

    func sent(at now: Instant) -> [[UInt8]] {
      var packets: [[UInt8]] = []
      let buffer = buffer
      while true {
        buffer.reset()
        guard association.nextTransmit(into: buffer, at: now) else { return packets }
        packets.append(buffer.bytes.copyBytes())
      }
    }

    func handle(_ packets: [[UInt8]], at now: Instant) {
      for packet in packets { association.handle(packet.rawSpan, at: now) }
      while let event = association.nextEvent() {
        switch event {
        case .established: events.append("established")
        case .restarted: events.append("restarted")
        case .closed: events.append("closed")
        case .message(let message): events.append("message \(message.bytes)")
        case .bufferedAmountLow: break
        default: events.append("other")
        }
      }
    }

    func send(_ bytes: [UInt8], at now: Instant) throws {
      try association.send(
        OutgoingMessage(
          bytes: bytes, stream: 0, payloadProtocol: 53, isUnordered: false, reliability: .full, at: now),
        at: now)
    }
  }

  private let now = Instant.origin + .seconds(Int64(1))

  private func exchange(_ a: End, _ b: End, at now: Instant) {
    while true {
      let fromA = a.sent(at: now)
      b.handle(fromA, at: now)
      let fromB = b.sent(at: now)
      a.handle(fromB, at: now)
      if fromA.isEmpty, fromB.isEmpty { return }
    }
  }

  @Test func `four packets in their order, one side active`() {
    let (a, b) = (End(seed: 1), End(seed: 2))
    a.association.start(remoteInit: nil, at: now)
    let first = a.sent(at: now)
    #expect(first.map(chunkTypes) == [[1]] && Array(first[0][4..<8]) == [0, 0, 0, 0])
    b.handle(first, at: now)
    let second = b.sent(at: now)
    #expect(second.map(chunkTypes) == [[2]])
    a.handle(second, at: now)
    let third = a.sent(at: now)
    #expect(third.map(chunkTypes) == [[10]])
    b.handle(third, at: now)
    let fourth = b.sent(at: now)
    #expect(fourth.map(chunkTypes) == [[11]])
    a.handle(fourth, at: now)
    #expect(a.events == ["established"] && b.events == ["established"])
  }

  @Test func `both sides may begin at once`() throws {
    for lossMask in 0..<64 {
      let (a, b) = (End(seed: 1), End(seed: 2))
      var time = now
      a.association.start(remoteInit: nil, at: time)
      b.association.start(remoteInit: nil, at: time)
      var number = 0
      for _ in 0..<60 {
        for (from, to) in [(a, b), (b, a)] {
          for packet in from.sent(at: time) {
            let isLost = number < 6 && lossMask >> number & 1 == 1
            number += 1
            if !isLost { to.handle([packet], at: time) }
          }
        }
        time = time + .milliseconds(Int64(100))
        a.association.handleTimeout(at: time)
        b.association.handleTimeout(at: time)
      }
      #expect(a.events == ["established"] && b.events == ["established"], "loss mask \(lossMask)")
      try a.send([1], at: time)
      try b.send([2], at: time)
      exchange(a, b, at: time)
      #expect(a.events.last == "message [2]" && b.events.last == "message [1]", "loss mask \(lossMask)")
    }
  }

  @Test func `a restarted peer is taken up again (case A)`() throws {
    let (a, b) = (End(seed: 1), End(seed: 2))
    a.association.start(remoteInit: nil, at: now)
    exchange(a, b, at: now)
    try a.send([1], at: now)
    exchange(a, b, at: now)
    let again = End(seed: 3)
    again.association.start(remoteInit: nil, at: now)
    exchange(again, b, at: now)
    #expect(again.events == ["established"])
    #expect(b.events == ["established", "message [1]", "restarted", "established"])
    try again.send([2], at: now)
    try b.send([3], at: now)
    exchange(again, b, at: now)
    #expect(b.events.last == "message [2]" && again.events.last == "message [3]")
  }

  @Test func `a cookie of an earlier attempt is discarded (case C)`() {
    let (a, b) = (End(seed: 1), End(seed: 2))
    a.association.start(remoteInit: nil, at: now)
    let initiation = a.sent(at: now)
    b.handle(initiation, at: now)
    a.handle(b.sent(at: now), at: now)
    exchange(a, b, at: now)
    // The same INIT again, late: its answer's cookie has another tag of ours.
    b.handle(initiation, at: now)
    let answer = b.sent(at: now)
    #expect(answer.map(chunkTypes) == [[2]])
    let cookie = chunks(answer[0])[0]
    let length = Int(cookie[22]) << 8 | Int(cookie[23])
    let echo = chunk(10, Array(cookie[24..<(20 + length)]))
    b.handle([packet(cookie[4..<8].reduce(0) { $0 << 8 | UInt32($1) }, echo)], at: now)
    #expect(b.sent(at: now).isEmpty)
    #expect(b.events == ["established"])
  }

  @Test func `a lost COOKIE ACK is repeated (case D)`() {
    let (a, b) = (End(seed: 1), End(seed: 2))
    a.association.start(remoteInit: nil, at: now)
    b.handle(a.sent(at: now), at: now)
    a.handle(b.sent(at: now), at: now)
    let echo = a.sent(at: now)
    b.handle(echo, at: now)
    _ = b.sent(at: now)
    b.handle(echo, at: now)
    #expect(b.events == ["established"])
    a.handle(b.sent(at: now), at: now)
    #expect(a.events == ["established"])
  }

  @Test func `a stale cookie is refused and the handshake begins anew`() {
    let (a, b) = (End(seed: 1), End(seed: 2))
    a.association.start(remoteInit: nil, at: now)
    b.handle(a.sent(at: now), at: now)
    a.handle(b.sent(at: now), at: now)
    let echo = a.sent(at: now)
    let later = now + .seconds(Int64(61))
    b.handle(echo, at: later)
    let refusal = b.sent(at: later)
    #expect(refusal.map(chunkTypes) == [[9]])
    a.handle(refusal, at: later)
    exchange(a, b, at: later)
    #expect(a.events == ["established"] && b.events == ["established"])
  }

  @Test func `a forged cookie does nothing`() {
    let (a, b) = (End(seed: 1), End(seed: 2))
    a.association.start(remoteInit: nil, at: now)
    b.handle(a.sent(at: now), at: now)
    a.handle(b.sent(at: now), at: now)
    let echo = a.sent(at: now)[0]
    for index in 16..<echo.count {
      var forged = Array(echo[12...])
      forged[index - 12] ^= 0x10
      let tag = echo[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      b.handle([packet(tag, forged)], at: now)
    }
    #expect(b.events.isEmpty && b.sent(at: now).isEmpty)
  }

  @Test func `an INIT with a field of zero is refused`() {
    let end = End(seed: 1)
    end.handle([packet(0, ScriptedPeer.initiation(streams: "00000001"))], at: now)
    #expect(end.sent(at: now).map(chunkTypes) == [[6]])
    end.handle([packet(0, ScriptedPeer.initiation(window: "00000001"))], at: now)
    #expect(end.sent(at: now).map(chunkTypes) == [[6]])
    end.handle([packet(7, ScriptedPeer.initiation())], at: now)
    #expect(end.sent(at: now).isEmpty)
  }

  @Test func `data and FORWARD TSN before the association are ignored`() {
    let end = End(seed: 1)
    end.association.start(remoteInit: nil, at: now)
    _ = end.sent(at: now)
    let tag = end.association.localInit[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    end.handle([packet(tag, data(tsn: 5, [1]) + chunk(192, bigEndian(9)))], at: now)
    #expect(end.sent(at: now).isEmpty && end.events.isEmpty)
  }

  @Test(arguments: [
    "", "00", "02000014", "0100001e00000000 00500000 ffffffff 00000001 c0000004 80080006 82c0",
    "0100ffff01020304 00500000 ffffffff 00000001", "0100001401020304 00000001 ffffffff 00000001",
  ])
  func `an a=sctp-init that cannot be used falls back to the handshake`(bytes: String) {
    let end = End(seed: 1)
    end.association.start(remoteInit: hex(bytes), at: now)
    #expect(end.sent(at: now).map(chunkTypes) == [[1]])
  }

  @Test func `a peer that starts the handshake although both INITs were exchanged is answered`() {
    let (a, b) = (End(seed: 1), End(seed: 2))
    a.association.start(remoteInit: b.association.localInit, at: now)
    b.association.start(remoteInit: nil, at: now)
    a.handle([], at: now)
    exchange(a, b, at: now)
    #expect(b.events == ["established"])
    #expect(a.events.first == "established")
  }
}
