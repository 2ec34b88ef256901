import SCTP
import Testing
import TestSupport
import WireFormat

/// One chunk type after the other, byte for byte, against a peer written by hand.
struct ChunkTests {
  @Test func `our INIT offers what is spoken here`() {
    let transport = DataChannelTransport(random: RandomSource(seed: 1))
    let bytes = transport.localInit
    #expect(bytes[0] == 1 && Int(bytes[3]) <= bytes.count && bytes.count % 4 == 0)
    #expect(Array(bytes[12..<16]) == [4, 0, 4, 0])
    // Forward TSN; zero checksum with DTLS; RE-CONFIG, FORWARD-TSN, I-DATA, I-FORWARD-TSN.
    #expect(Array(bytes[20...]) == hex("c0000004 80010008 00000001 80080008 82c040c2"))
  }

  @Test func `text, empty and unknown payload protocols are what RFC 8831 says`() {
    let peer = ScriptedPeer(isDTLSClient: true)
    peer.receive(openChannel(tsn: 1000, label: "data"))
    peer.receive(data(tsn: 1001, sequence: 1, payloadProtocol: 56, [0]))
    peer.receive(data(tsn: 1002, sequence: 2, payloadProtocol: 56, [0x41]))
    peer.receive(data(tsn: 1003, sequence: 3, payloadProtocol: 57, [0]))
    peer.receive(data(tsn: 1004, sequence: 4, payloadProtocol: 51, [0x68]))
    peer.receive(data(tsn: 1005, sequence: 5, payloadProtocol: 53, [0x69]))
    peer.receive(data(tsn: 1006, sequence: 6, payloadProtocol: 99, [0x6A]))
    let got = peer.events.compactMap { event -> String? in
      guard case .message(_, let bytes, let isText) = event else { return nil }
      return "\(isText ? "text" : "binary") \(hex(bytes))"
    }
    #expect(got == ["text ", "text ", "binary ", "text 68", "binary 69"])
    #expect(peer.end == nil)
  }

  @Test func `DATA without bytes is a protocol error`() {
    let peer = ScriptedPeer()
    peer.receive(openChannel(tsn: 1000, label: "data"))
    peer.clear()
    peer.receive(data(tsn: 1001, sequence: 1, payloadProtocol: 51, []))
    #expect(peer.end == .protocolViolation(detail: "DATA without user data"))
    #expect(peer.sentChunk(6) == hex("0600000c 00090008 000003e9"))
  }

  @Test func `OPEN is answered by ACK and a SACK`() {
    let peer = ScriptedPeer()
    peer.receive(openChannel(tsn: 1000, label: "control"))
    #expect(peer.sent.last.map(chunkTypes) == [3, 0])
    #expect(peer.sentChunk(0)?.suffix(5) == [0, 0, 0, 50, 2])
    #expect(peer.sentChunk(3)?[4..<8] == [0, 0, 3, 0xE8])
  }

  @Test func `an OPEN of our own parity is refused by a stream reset`() {
    let peer = ScriptedPeer(isDTLSClient: true)
    peer.receive(openChannel(tsn: 1000, stream: 2, label: "wrong"))
    #expect(peer.events.contains { if case .channelOpened = $0 { true } else { false } } == false)
    #expect(peer.sentChunk(130)?.suffix(2) == [0, 2])
  }

  @Test func `gaps and duplicates are reported at once`() {
    let peer = ScriptedPeer()
    peer.receive(openChannel(tsn: 1000, label: "x"))
    peer.clear()
    peer.receive(data(tsn: 1003, sequence: 3, [3]))
    peer.receive(data(tsn: 1005, sequence: 5, [5]))
    peer.receive(data(tsn: 1003, sequence: 3, [3]))
    let ack = peer.sentChunk(3) ?? []
    #expect(Array(ack[4..<8]) == bigEndian(1000))
    #expect(Array(ack[12...]) == hex("0002 0001 0003 0003 0005 0005 000003eb"))
    peer.receive(data(tsn: 1001, sequence: 1, [1]), data(tsn: 1002, sequence: 2, [2]))
    #expect(peer.sentChunk(3).map { Array($0[4..<8]) } == bigEndian(1003))
    #expect(peer.messages == [[1], [2], [3]])
    peer.receive(data(tsn: 1004, sequence: 4, [4]))
    #expect(peer.messages == [[1], [2], [3], [4], [5]])
    #expect(peer.sentChunk(3).map { Array($0[4..<8]) } == bigEndian(1005))
  }

  @Test func `a lone packet is acknowledged after a short delay, every second one at once`() {
    let peer = ScriptedPeer()
    peer.receive(openChannel(tsn: 1000, label: "x"))
    peer.clear()
    peer.receive(data(tsn: 1001, sequence: 1, [1]))
    #expect(peer.sent.isEmpty)
    peer.advance(.milliseconds(Int64(25)))
    #expect(peer.sentChunk(3) != nil)
    peer.clear()
    peer.receive(data(tsn: 1002, sequence: 2, [1]))
    peer.receive(data(tsn: 1003, sequence: 3, [1]))
    #expect(peer.sentChunk(3) != nil)
    peer.clear()
    peer.receive(data(tsn: 1004, sequence: 4, flags: 11, [1]))
    #expect(peer.sentChunk(3) != nil)
  }

  @Test func `fragments are put together whatever their order`() {
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
      let peer = ScriptedPeer()
      peer.receive(openChannel(tsn: 1000, label: "x"))
      for index in order {
        peer.receive(
          data(
            tsn: 1001 + UInt32(index), sequence: 1, flags: index == 0 ? 2 : index == 3 ? 1 : 0, [UInt8(index)]
          ))
      }
      #expect(peer.messages == [[0, 1, 2, 3]])
    }
  }

  @Test func `unordered messages do not wait`() {
    let peer = ScriptedPeer()
    peer.receive(openChannel(tsn: 1000, label: "x"))
    peer.receive(data(tsn: 1005, flags: 7, [5]))
    peer.receive(data(tsn: 1003, flags: 5, [3]))
    peer.receive(data(tsn: 1002, flags: 6, [2]))
    #expect(peer.messages == [[5], [2, 3]])
  }

  @Test func `fragments that contradict each other end the association`() {
    let peer = ScriptedPeer()
    peer.receive(openChannel(tsn: 1000, label: "x"))
    peer.receive(data(tsn: 1001, sequence: 1, flags: 2, [1]))
    peer.receive(data(tsn: 1002, sequence: 2, flags: 0, [2]))
    #expect(peer.end == .protocolViolation(detail: "fragments of stream 1 contradict each other"))
  }

  @Test func `FORWARD TSN skips what was given up and frees its fragments`() {
    let peer = ScriptedPeer()
    peer.receive(openChannel(tsn: 1000, label: "x"))
    peer.receive(data(tsn: 1001, sequence: 1, flags: 2, [1]))
    peer.receive(data(tsn: 1004, sequence: 2, [2]))
    #expect(peer.messages.isEmpty)
    peer.receive(chunk(192, bigEndian(1003) + [0, 1, 0, 1]))
    #expect(peer.messages == [[2]])
    #expect(peer.sentChunk(3).map { Array($0[4..<8]) } == bigEndian(1004))
    peer.receive(data(tsn: 1005, sequence: 3, [3]))
    #expect(peer.messages == [[2], [3]])
  }

  @Test func `a heartbeat is echoed`() {
    let peer = ScriptedPeer()
    peer.receive(chunk(4, hex("0001 0008 deadbeef")))
    #expect(peer.sentChunk(5) == hex("0500000c 00010008 deadbeef"))
  }

  @Test func `unknown chunks follow their two highest bits`() {
    for (type, reported, continues) in [
      (UInt8(0x3F), false, false), (0x7F, true, false), (0xBF, false, true), (0xFF, true, true),
    ] {
      let peer = ScriptedPeer()
      peer.receive(chunk(type, [1, 2, 3, 4]), openChannel(tsn: 1000, label: "x"))
      #expect((peer.sentChunk(9) != nil) == reported)
      #expect(peer.events.contains { if case .channelOpened = $0 { true } else { false } } == continues)
    }
  }

  @Test func `packets with a wrong tag, port or checksum, or cut short, change nothing`() {
    let peer = ScriptedPeer()
    let good = packet(peer.tag, openChannel(tsn: 1000, label: "x"))
    peer.clear()
    for index in [0, 2, 4, 8, 20] {
      var bad = good
      bad[index] ^= 1
      peer.receive(raw: bad)
    }
    for count in 0..<16 { peer.receive(raw: Array(good.prefix(count))) }
    peer.receive(openChannel(tsn: 1000, label: "x"), tag: peer.tag &+ 1)
    #expect(peer.sent.isEmpty && peer.events.isEmpty)
    #expect(peer.transport.statistics.packetsDropped == 22)
    peer.receive(raw: good)
    #expect(!peer.events.isEmpty)
  }

  @Test func `ABORT is taken with our tag, and with the peer's when it says so`() {
    let plain = ScriptedPeer()
    plain.receive(chunk(6, flags: 1), tag: 99)
    plain.receive(chunk(6), tag: ScriptedPeer.peerTag)
    #expect(plain.end == nil)
    plain.receive(chunk(6, hex("000c0010") + Array("Close called".utf8)))
    #expect(plain.end == .abortedByPeer(cause: 12, detail: "Close called"))
    let reflected = ScriptedPeer()
    reflected.receive(chunk(6, flags: 1), tag: ScriptedPeer.peerTag)
    #expect(reflected.end == .abortedByPeer(cause: nil, detail: ""))
  }

  @Test func `a SACK of what was never sent ends the association`() {
    let peer = ScriptedPeer()
    peer.receive(selectiveAck(5))
    #expect(peer.end == .protocolViolation(detail: "SACK acknowledges what was not sent"))
  }

  @Test func `a closed window is probed until it opens`() throws {
    let peer = ScriptedPeer(remoteInit: ScriptedPeer.initiation(window: "000005dc"))
    let id = try peer.transport.open(label: "x", at: peer.now)
    peer.drain()
    let first = peer.transport.localInit[16..<20].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    peer.receive(selectiveAck(first, window: 0))
    for _ in 0..<3 { try peer.transport.send(pattern(1000), isText: false, on: id, at: peer.now) }
    peer.clear()
    peer.drain()
    peer.advance(.seconds(Int64(20)))
    let probes = peer.sentChunks.filter { $0[0] == 0 }
    #expect(probes.count > 2 && Set(probes.map { Array($0[4..<8]) }).count == 1)
    peer.receive(selectiveAck(first &+ 1, window: 100_000))
    #expect(peer.sentChunks.filter { $0[0] == 0 }.count >= probes.count + 2)
    #expect(peer.end == nil)
  }

  @Test func `the receive window shrinks with what is held and the buffer is bounded`() {
    var configuration = SCTPConfiguration()
    configuration.receiveBufferSize = 65_536
    configuration.localMaxMessageSize = 10_000
    let peer = ScriptedPeer(configuration: configuration)
    peer.receive(openChannel(tsn: 1000, label: "x"))
    let bytes = pattern(1000)
    for index in 0..<400 { peer.receive(data(tsn: 1002 + UInt32(index), sequence: 2 + UInt16(index), bytes)) }
    let ack = peer.sentChunk(3) ?? []
    let window = ack[8..<12].reduce(0) { $0 << 8 | Int($1) }
    #expect(window < 2000)
    // Far fewer than 400 were kept; the missing one sets them all free.
    peer.receive(data(tsn: 1001, sequence: 1, [1]))
    #expect(peer.messages.count > 50 && peer.messages.count < 130)
  }

  @Test func `tiny fragments count with their bookkeeping`() {
    var configuration = SCTPConfiguration()
    configuration.receiveBufferSize = 65_536
    configuration.localMaxMessageSize = 0
    let peer = ScriptedPeer(configuration: configuration)
    for index in 0..<8000 {
      peer.receive(data(tsn: 1001 + UInt32(index) * 2, sequence: 9, flags: 0, [1]))
    }
    let ack = peer.sentChunk(3) ?? []
    #expect(ack[8..<12].reduce(0) { $0 << 8 | Int($1) } < 200)
    #expect(peer.end == nil)
  }

  @Test func `a stream beyond the limit is reported and its data acknowledged`() {
    let peer = ScriptedPeer()
    peer.receive(data(tsn: 1000, stream: 1024, [1]))
    #expect(peer.sentChunk(9) == hex("0900000c 00010008 04000000"))
    peer.advance(.seconds(Int64(1)))
    #expect(peer.sentChunk(3).map { Array($0[4..<8]) } == bigEndian(1000))
  }

  @Test func `an incoming reset waits for what was sent before it, and is answered again when repeated`() {
    let peer = ScriptedPeer()
    peer.receive(openChannel(tsn: 1000, label: "x"))
    peer.clear()
    let request = chunk(130, hex("000d0012") + bigEndian(1000) + bigEndian(0) + bigEndian(1001) + [0, 1])
    peer.receive(request)
    #expect(peer.sentChunk(130) == nil)
    peer.receive(request)
    #expect(peer.sentChunk(130) == hex("82000010 0010000c 000003e8 00000006"))
    peer.receive(data(tsn: 1001, sequence: 1, [7]))
    #expect(peer.messages == [[7]])
    #expect(peer.sentChunks.contains(hex("82000010 0010000c 000003e8 00000001")))
    // Our own half follows.
    #expect(peer.sentChunks.contains { $0[0] == 130 && $0[5] == 13 })
    peer.clear()
    peer.receive(request)
    #expect(peer.sentChunk(130) == hex("82000010 0010000c 000003e8 00000001"))
  }

  @Test func `a peer without RE-CONFIG still sees its channels close here`() throws {
    let peer = ScriptedPeer(remoteInit: ScriptedPeer.initiation(extensions: ""))
    let id = try peer.transport.open(label: "x", at: peer.now)
    peer.drain()
    peer.transport.close(channel: id, at: peer.now)
    peer.drain()
    #expect(peer.events.contains { if case .channelClosed = $0 { true } else { false } })
  }

  @Test func `I-DATA that was not negotiated is a violation`() {
    let peer = ScriptedPeer()
    peer.receive(chunk(64, flags: 3, bigEndian(1000) + bigEndian(0) + bigEndian(0) + bigEndian(53) + [1]))
    #expect(peer.end == .protocolViolation(detail: "I-DATA was not negotiated"))
  }

  @Test(arguments: ["80080006 82c0", "80010008 00000001 80080006 82c0", "80010008 00000002"])
  func `the checksum is left out only when both sides said so`(extensions: String) throws {
    let peer = ScriptedPeer(remoteInit: ScriptedPeer.initiation(extensions: extensions))
    _ = try peer.transport.open(label: "x", at: peer.now)
    peer.drain()
    let sent = try #require(peer.sent.last)
    #expect((Array(sent[8..<12]) == [0, 0, 0, 0]) == extensions.hasPrefix("80010008 00000001"))
    // What we declared ourselves is accepted from the peer.
    var bare = packet(peer.tag, openChannel(tsn: 1000, label: "x"))
    bare.replaceSubrange(8..<12, with: [0, 0, 0, 0])
    peer.receive(raw: bare)
    #expect(peer.transport.statistics.packetsDropped == 0)
  }

  @Test func `no input makes the machine trap or grow without bound`() {
    let peer0 = ScriptedPeer()
    let seeds = [
      openChannel(tsn: 1000, label: "x"), data(tsn: 1001, [1, 2, 3]), selectiveAck(1000, gaps: [0, 2, 0, 9]),
      chunk(130, hex("000d0012") + bigEndian(1000) + bigEndian(0) + bigEndian(1001) + [0, 1]),
      chunk(192, bigEndian(1003) + [0, 1, 0, 1]), chunk(4, hex("0001 0008 deadbeef")),
      chunk(6, hex("000c0008") + [1, 2, 3, 4]), chunk(7, bigEndian(1)), ScriptedPeer.initiation() + [0, 0],
      chunk(9, hex("00030008 00000001")), chunk(10, pattern(76)), chunk(8), chunk(14), chunk(11),
    ]
    _ = peer0
    for seed in UInt64(0)..<400 {
      var random = RandomSource(seed: seed)
      let peer = ScriptedPeer(seed: seed)
      for _ in 0..<60 {
        var input: [UInt8] = []
        for _ in 0...(random.next() % 3) { input += seeds[Int(random.next() % UInt64(seeds.count))] }
        for _ in 0..<(random.next() % 6) {
          input[Int(random.next() % UInt64(input.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        if random.next() % 8 == 0 { input.removeLast(Int(random.next() % UInt64(input.count))) }
        peer.receive(input, tag: random.next() % 16 == 0 ? 0 : peer.tag)
        if random.next() % 8 == 0 { peer.advance(.milliseconds(Int64(random.next() % 500))) }
      }
      #expect(peer.sent.count < 2000, "seed \(seed)")
    }
  }
}
