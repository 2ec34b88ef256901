import ReactorTypes
import ReactorWire
import TestRecordings
import TestSupport
import Testing
import WireFormat

@Suite struct ProtobufWireTests {
  @Test func `known bytes`() throws {
    #expect(ProtobufWire.encode(ClientFrame.notification(.ping)) == hex("10 03 52 00"))
    let granted = ServerFrame.response(to: "ctrl_2", .publishTrack(""))
    #expect(ProtobufWire.encode(granted) == hex("0a06 6374726c5f32 1002 7200"))
    let command = ClientFrame(requestID: "data_3", kind: .request, payload: .command(Command("nope")))
    #expect(ProtobufWire.encode(command) == hex("0a06 646174615f33 1001 5208 0a04 6e6f7065 1200"))
  }

  @Test func `everything that can be said survives the way there and back`() throws {
    let file = FileRef(uploadID: "u", name: "n", mimeType: "image/png", size: 1 << 40)
    var environment = ClientStats.Environment()
    environment.sdkType = "swift"
    let stats = ClientStats(
      tracks: [
        ClientStats.TrackStat(
          timestampMS: 1_796_019_167_979, trackName: "main_video", isVideo: true, isReceived: true,
          codec: .video(2),
          isPaused: true, metrics: ["bitrate_bps": 1e6, "zero": 0],
          frameStages: [.init(name: "decode", totalMS: 3.5, count: 7, partOf: "all")],
          codecImplementation: "libvpx",
          isHardwareCodec: false),
        ClientStats.TrackStat(
          timestampMS: 1, trackName: "mic", isVideo: false, isReceived: false, codec: .audio(1)),
      ],
      connection: .init(
        timestampMS: 2, metrics: ["time_to_connect_ms": 90], environment: environment,
        messageStages: [.init(name: "x", totalMS: 1, count: 2)]))
    let frames = TrackFrames(
      track: "camera", kind: 1,
      frames: [
        .init(
          encoding: 1, dtype: "uint8", shape: [90, 160, 3], data: [1, 2, 3], metadata: [], captureTimeUs: -5)
      ],
      rate: 24)
    let clients: [ClientFrame.Payload] = [
      .command(Command("go", ["a": [1, "x", nil, true, ["b": [:]], []], "": 0], uploads: ["image": file])),
      .requestStep(StepRequest(state: ["brightness": 0.5], commands: [Command("go")], mediaInput: [frames])),
      .requestStep(StepRequest()), .ping, .requestSchema, .fileUploaded(file), .requestClip(seconds: 2.5),
      .requestRecording, .publishTrack("camera"), .pauseTrack("a"), .resumeTrack("b"), .unpublishTrack("c"),
      .clientStats(stats), .error(RemoteError(code: "c", message: "m")),
    ]
    for payload in clients {
      let frame = ClientFrame(requestID: "id_1", kind: .request, payload: payload)
      #expect(
        try ProtobufWire.decodeClient(ProtobufWire.encode(frame), channel: ProtobufWire.channel(of: payload))
          == frame)
    }
    let outcome = StepOutcome(
      step: 3, tracks: [frames], elapsedSeconds: 0.25, files: [.init(name: "f", contentType: "t", size: 9)],
      error: "",
      failureCode: 5, code: "peer_failed", entry: "commands[0]")
    let servers: [ServerFrame.Payload] = [
      .message(ModelMessage("m", ["k": [1, 2]])), .message(ModelMessage("bare")), .stepResult(outcome),
      .stepResult(StepOutcome()), .modelSchema(["openapi": "3.1"]),
      .clipReady(
        ClipReady(
          sessionID: "s", kind: "snap", startMarker: 1.5, endMarker: 2, nowMarker: 2,
          predictedReadyAtMS: 1_796_017_881_838, playlistURL: "/clips?x=1")),
      .clipFailed(reason: "recorder disabled"),
      .moderation(
        Moderation(
          action: "terminate", inputKind: "text", command: "c", categories: ["a", "b"], message: "m")),
      .publishTrack("camera"), .sessionEnded(reason: "bye"), .error(RemoteError(code: "c", message: "m")),
    ]
    for payload in servers {
      let frame = ServerFrame.response(to: "id_1", payload)
      #expect(
        try ProtobufWire.decodeServer(ProtobufWire.encode(frame), channel: ProtobufWire.channel(of: payload))
          == frame)
    }
  }

  @Test
  func `unknown fields of every wire type are skipped, a known field of another type counts as unknown`()
    throws
  {
    // 99: varint, fixed64, bytes, group with a field inside, fixed32; then request_id as a varint, then a ping.
    let bytes = hex("9806 05 9906 0102030405060708 9a06 02aabb 9b06 0807 9c06 9d06 01020304 0801 1003 5200")
    let frame = try ProtobufWire.decodeClient(bytes, channel: .control)
    #expect(frame == .notification(.ping))
    let unknown = try ProtobufWire.decodeServer(hex("0a0178 1002 f20100"), channel: .data)
    #expect(unknown == ServerFrame.response(to: "x", nil))
    #expect(try ProtobufWire.decodeServer(hex("1063"), channel: .data).kind == .unspecified)
  }

  @Test(arguments: [
    "0a", "0a05 61", "0aff", "08", "52 05 0a", "0d 010203", "09 01", "00", "07", "9b06", "9c06",
    "9b06 9b06 9c06",
    "0affffffffffffffffff01", "0a ffffffff0f 61", "8080808080808080808000 01", "0a01ff", "16",
    "17",
  ])
  func `malformed messages are errors`(bytes: String) {
    for channel in ChannelLabel.allCases {
      #expect(throws: WireMessageError.self) { try ProtobufWire.decodeClient(hex(bytes), channel: channel) }
    }
  }

  @Test func `deep values are refused, deep groups too`() throws {
    func nested(_ depth: Int) -> JSONValue { depth == 0 ? nil : ["a": nested(depth - 1)] }
    func decode(_ depth: Int) throws -> ServerFrame {
      let frame = ServerFrame.notification(.message(ModelMessage("m", nested(depth))))
      return try ProtobufWire.decodeServer(ProtobufWire.encode(frame), channel: .data)
    }
    #expect(throws: Never.self) { try decode(127) }
    #expect(throws: WireMessageError.tooDeep(limit: 128)) { try decode(140) }
    let groups = [UInt8](repeating: 0x1B, count: 1000)
    #expect(throws: WireMessageError.tooDeep(limit: 32)) {
      try ProtobufWire.decodeServer(groups, channel: .data)
    }
  }

  @Test func `a message of many empty values is refused before it fills the memory`() {
    // Value entries of a list: 0a 00 each.
    var list = [UInt8]()
    for _ in 0..<2_100_000 { list += [0x0A, 0x00] }
    var value = ProtobufWriter()
    value.message(10) { message in
      message.message(2) { data in
        data.message(1) { entry in
          entry.string(1, "k")
          entry.message(2) { $0.bytes(6, list) }
        }
      }
    }
    #expect(throws: WireMessageError.tooManyValues(limit: 2_000_000)) {
      try ProtobufWire.decodeServer(value.bytes, channel: .data)
    }
  }

  @Test func `mutated messages never trap, and what reads also writes`() throws {
    let corpus = RecordedMessage.binaryFiles.flatMap { RecordedMessage.load($0) }.filter {
      !$0.message.isText && $0.message.bytes.count < 2000
    }
    #expect(corpus.count > 30)
    for seed in 0..<30_000 {
      var random = RandomSource(seed: UInt64(seed))
      let recorded = corpus[Int(random.uint32()) % corpus.count]
      let bytes = mutate(recorded.message.bytes, &random)
      for channel in ChannelLabel.allCases {
        if let frame = try? ProtobufWire.decodeClient(bytes, channel: channel) {
          #expect(
            (try? ProtobufWire.decodeClient(ProtobufWire.encode(frame), channel: channel)) != nil,
            "seed \(seed)")
        }
        if let frame = try? ProtobufWire.decodeServer(bytes, channel: channel) {
          #expect(
            (try? ProtobufWire.decodeServer(ProtobufWire.encode(frame), channel: channel)) != nil,
            "seed \(seed)")
        }
      }
      _ = try? WireCodec.decodeServer(WireMessage(channel: .data, isText: true, bytes: bytes))
      _ = try? WireCodec.decodeClient(WireMessage(channel: .control, isText: true, bytes: bytes), as: .v0)
    }
  }
}

func mutate(_ source: [UInt8], _ random: inout RandomSource) -> [UInt8] {
  var bytes = source
  for _ in 0...(random.uint32() % 4) where !bytes.isEmpty {
    let at = Int(random.uint32()) % bytes.count
    switch random.uint32() % 5 {
    case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
    case 1: bytes[at] ^= 1 << (random.next() & 7)
    case 2: bytes.remove(at: at)
    case 3: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
    default: bytes.removeSubrange(at...)
    }
  }
  return bytes
}
