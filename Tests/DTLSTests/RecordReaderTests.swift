import DTLS
import Testing
import TestSupport
import WireFormat

struct RecordReaderTests {
  private struct Record: Equatable {
    let header: DTLSRecordHeader
    let fragment: [UInt8]
  }

  private func records(_ datagram: [UInt8]) throws -> [Record] {
    var reader = DTLSRecordReader(datagram.rawSpan)
    var result: [Record] = []
    var fragment: [UInt8] = []
    while let header = try reader.next({ fragment = $0.copyBytes() }) {
      result.append(Record(header: header, fragment: fragment))
    }
    return result
  }

  private func dtls(_ fixture: String) throws -> [[UInt8]] {
    try PacketCapture.read(fixture).map(\.payload).filter { payload in
      payload.first.map { DTLSTransport.isDTLS(firstByte: $0) } ?? false
    }
  }

  @Test func `the flights of a libwebrtc handshake are read`() throws {
    let datagrams = try dtls("Packets/reactor/relay/wire-dtls13/00.wire.pcap")
    #expect(datagrams.count == 31)
    let messages = try datagrams.prefix(5).flatMap(records).compactMap { record -> DTLSHandshakeHeader? in
      guard case .plain(.handshake, _, 0, _) = record.header else { return nil }
      return try DTLSHandshakeHeader(record.fragment.rawSpan)
    }
    // ClientHello twice, ServerHello twice; each whole.
    #expect(messages.prefix(3).map(\.type) == [1, 1, 2])
    #expect(messages.allSatisfy { $0.fragmentOffset == 0 && $0.fragmentLength == $0.length })
    let all = try datagrams.flatMap(records)
    #expect(all.contains { $0.header == .unified(epochLowBits: 2) })
    #expect(all.contains { $0.header == .unified(epochLowBits: 3) })
  }

  @Test(arguments: [
    "Packets/reactor/sdk-1.13_runtime-3.10/video-only/wire.pcap",
    "Packets/reactor/sdk-1.13_runtime-3.10/vp8/wire.pcap",
  ])
  func `every DTLS datagram of a recorded session is whole records`(fixture: String) throws {
    let datagrams = try dtls(fixture)
    #expect(datagrams.count > 10)
    for datagram in datagrams {
      #expect(try records(datagram).count >= 1)
    }
  }

  @Test func `our server answers the ClientHello of libwebrtc with DTLS 1_2`() throws {
    let hello = try #require(dtls("Packets/reactor/relay/wire-dtls13/00.wire.pcap").first)
    let server = DTLSTransport(
      role: .server, certificate: try TestCertificate.server.get(),
      remoteFingerprints: [try TestCertificate.client.get().fingerprint], pool: PacketPool())
    server.start(at: .origin)
    server.handle(hello, at: .origin)
    let answer = try records(try #require(server.nextDatagram()))
    let types = try answer.map { try DTLSHandshakeHeader($0.fragment.rawSpan).type }
    // ServerHello, Certificate, ServerKeyExchange, CertificateRequest, ServerHelloDone.
    #expect(types == [2, 11, 12, 13, 14])
    #expect(Array(answer[0].fragment[12..<14]) == [0xFE, 0xFD])
  }

  @Test(arguments: [
    ("16fefd0000000000000000", DTLSRecordError.truncated), ("16fefd00000000000000000005aabb", .truncated),
    ("16030300000000000000000001aa", .unknownVersion(0x0303)), ("80fefd", .unknownContentType(0x80)),
    ("13fefd", .unknownContentType(0x13)), ("3f00", .connectionIdentifier), ("2f", .truncated),
    ("2f0000", .truncated), ("2f00000005aa", .truncated),
  ])
  func `what is no record is an error`(text: String, error: DTLSRecordError) {
    #expect(throws: error) { try records(hex(text)) }
  }

  @Test func `a unified header without a length takes the rest of the datagram`() throws {
    let found = try records(hex("2a 0102 aabbcc"))
    #expect(found == [Record(header: .unified(epochLowBits: 2), fragment: hex("aabbcc"))])
    #expect(try records(hex("23 01 aabbcc")).first?.fragment == hex("aabbcc"))
  }

  @Test func `changed and cut datagrams never trap`() throws {
    var random = RandomSource(seed: 12)
    let datagrams = try dtls("Packets/reactor/relay/wire-dtls13/00.wire.pcap")
    for round in 0..<20_000 {
      var datagram = datagrams[round % datagrams.count]
      for _ in 0...(random.next() % 4) {
        datagram[Int(random.next() % UInt64(min(60, datagram.count)))] = UInt8(
          truncatingIfNeeded: random.next())
      }
      datagram = Array(datagram.prefix(Int(random.next() % UInt64(datagram.count + 1))))
      let found = (try? records(datagram)) ?? []
      #expect(found.reduce(0) { $0 + $1.fragment.count } <= datagram.count)
      _ = try? DTLSHandshakeHeader(datagram.rawSpan)
    }
  }
}
