import ReactorTypes
import ReactorWire
import Testing
import WireFormat

/// A conversation on a virtual clock, with what it sent as frames.
private final class Talk {
  let machine: ClientConversation
  let generation: WireGeneration
  var now = Instant.origin

  init(_ generation: WireGeneration, maxMessageSize: Int = 262_144, isOpen: Bool = true) {
    self.generation = generation
    machine = ClientConversation(generation: generation, maxMessageSize: maxMessageSize)
    if isOpen {
      machine.channelOpened(.control, at: now)
      machine.channelOpened(.data, at: now)
    }
  }

  func sent() -> [ClientFrame] {
    var frames: [ClientFrame] = []
    while let message = machine.nextTransmit() {
      #expect(message.isText == (generation == .v0))
      if let frame = try? WireCodec.decodeClient(message, as: generation) { frames.append(frame) }
    }
    return frames
  }

  func events() -> [ConversationEvent] {
    var events: [ConversationEvent] = []
    while let event = machine.nextEvent() { events.append(event) }
    return events
  }

  func answer(_ frame: ServerFrame, on channel: ChannelLabel = .data) {
    if let message = WireCodec.encode(frame, as: generation, answering: channel) {
      machine.handle(message, at: now)
    }
  }

  func advance(_ interval: Interval) {
    let end = now + interval
    while let next = machine.nextTimeout(), next <= end {
      now = max(now, next)
      machine.handleTimeout(at: now)
    }
    now = end
  }
}

@Suite struct ClientConversationTests {
  @Test func `the first frame of a protobuf client is a ping, then one every 10 s`() {
    let talk = Talk(.v1, isOpen: false)
    talk.machine.channelOpened(.control, at: talk.now)
    #expect(talk.machine.nextTransmit()?.bytes == [0x10, 0x03, 0x52, 0x00])
    talk.advance(.seconds(35))
    #expect(talk.sent().filter { $0.payload == .ping }.count == 3)
    #expect(talk.events().filter { $0 == .reportDue }.count == 7)
  }

  @Test func `a JSON client pings on the data channel every 5 s, first after 5 s`() {
    let talk = Talk(.v0)
    talk.advance(.milliseconds(4999))
    #expect(talk.sent().isEmpty)
    talk.advance(.seconds(11))
    #expect(talk.sent() == [.notification(.ping), .notification(.ping), .notification(.ping)])
    #expect(talk.events().isEmpty)
  }

  @Test func `after a long sleep one ping is owed, not a volley`() {
    let talk = Talk(.v1)
    _ = talk.sent()
    talk.now = talk.now + .seconds(3600)
    talk.machine.handleTimeout(at: talk.now)
    talk.machine.handleTimeout(at: talk.now)
    #expect(talk.sent() == [.notification(.ping)])
  }

  @Test func `replies find their commands in any order, and are messages too`() throws {
    let talk = Talk(.v1)
    _ = talk.sent()
    let first = try talk.machine.send(Command("a"), at: talk.now)
    let second = try talk.machine.send(Command("b"), at: talk.now)
    #expect(talk.sent().map(\.requestID) == ["data_1", "data_2"])
    talk.answer(.response(to: "data_2", .message(ModelMessage("done", ["n": 1]))))
    talk.answer(.response(to: "data_1", nil))
    #expect(
      talk.events() == [
        .message(ModelMessage("done", ["n": 1])),
        .settled(second, .success(.command(ModelMessage("done", ["n": 1])))),
        .settled(first, .success(.command(nil))),
      ])
    talk.answer(.response(to: "data_1", .message(ModelMessage("again"))))
    #expect(talk.events() == [.message(ModelMessage("again"))], "an id is used up")
  }

  @Test func `a model's refusal fails its command alone, later or without an id it is an error of its own`()
    throws
  {
    let talk = Talk(.v1)
    let token = try talk.machine.send(Command("a"), at: talk.now)
    let error = RemoteError(code: "peer_failed", message: "because")
    talk.answer(.response(to: "data_1", .error(error)))
    #expect(talk.events() == [.settled(token, .failure(.remote(error)))])
    let late = try talk.machine.send(Command("b"), at: talk.now)
    talk.advance(.seconds(10))
    #expect(talk.events().filter { $0 != .reportDue } == [.settled(late, .failure(.timedOut))])
    talk.answer(.response(to: "data_2", .error(error)))
    talk.answer(.notification(.error(error)))
    #expect(talk.events() == [.modelError(error), .modelError(error)])
    talk.answer(.notification(.error(error)), on: .control)
    #expect(talk.events() == [.dropped(channel: .control, reason: "error peer_failed for no request")])
    let mapped = RequestFailure.remote(error).reactorError(operation: "send_command")
    #expect(
      mapped.code.rawValue == "peer_failed" && !mapped.recoverable && mapped.operation == "send_command")
  }

  @Test func `a command that names an upload may wait longer than the runtime does`() throws {
    let talk = Talk(.v1)
    let file = FileRef(uploadID: "u", name: "n", mimeType: "m/x", size: 1)
    _ = try talk.machine.send(Command("a", uploads: ["image": file]), at: talk.now)
    talk.advance(.seconds(12))
    #expect(!talk.events().contains { if case .settled = $0 { true } else { false } })
    talk.advance(.seconds(4))
    #expect(talk.events().contains { if case .settled(_, .failure(.timedOut)) = $0 { true } else { false } })
  }

  @Test func `an empty answer is no answer to publish and schema`() throws {
    let talk = Talk(.v1)
    let publish = try talk.machine.publish("camera", at: talk.now)
    let schema = try talk.machine.requestSchema(at: talk.now)
    talk.answer(.response(to: "ctrl_1", nil), on: .control)
    talk.answer(.response(to: "ctrl_2", nil), on: .control)
    #expect(talk.events().isEmpty)
    talk.answer(.response(to: "ctrl_1", .publishTrack("")))
    talk.answer(.response(to: "ctrl_2", .modelSchema(["openapi": "3.1.0"])))
    #expect(
      talk.events() == [
        .settled(publish, .success(.published)), .settled(schema, .success(.schema(["openapi": "3.1.0"]))),
      ])
    let absent = try talk.machine.requestSchema(at: talk.now)
    talk.machine.handle(
      WireMessage(channel: .control, isText: false, bytes: [0x0A, 6] + Array("ctrl_3".utf8) + [0x52, 0]),
      at: talk.now)
    #expect(talk.events() == [.settled(absent, .failure(.undecodable))])
  }

  @Test func `clips of the JSON generation are answered first in, first out, a late answer to none`() throws {
    let talk = Talk(.v0)
    let first = try talk.machine.requestClip(seconds: 1, at: talk.now)
    talk.now = talk.now + .seconds(2)
    let second = try talk.machine.requestRecording(at: talk.now)
    let clip = { (name: String) in
      ServerFrame.notification(.clipReady(ClipReady(kind: name, playlistURL: "/\(name)")))
    }
    talk.answer(clip("one"))
    talk.answer(.notification(.clipFailed(reason: "recorder disabled")))
    var settled = talk.events().compactMap { if case .settled(let token, _) = $0 { token } else { nil } }
    #expect(settled == [first, second])
    let third = try talk.machine.requestClip(seconds: 1, at: talk.now)
    talk.advance(.seconds(9))
    let fourth = try talk.machine.requestClip(seconds: 1, at: talk.now)
    talk.advance(.seconds(2))
    settled = talk.events().compactMap { if case .settled(let token, _) = $0 { token } else { nil } }
    #expect(settled == [third])
    talk.answer(clip("three, late"))
    #expect(!talk.events().contains { if case .settled = $0 { true } else { false } })
    talk.answer(clip("four"))
    #expect(talk.events().contains { if case .settled(fourth, .success) = $0 { true } else { false } })
    talk.answer(clip("stray"))
    #expect(talk.events().count == 1)
  }

  @Test func `a command of the JSON generation is done when it is queued`() throws {
    let talk = Talk(.v0)
    let token = try talk.machine.send(Command("set_prompt", ["prompt": "x"]), at: talk.now)
    #expect(talk.events() == [.settled(token, .success(.command(nil)))])
    #expect(
      talk.sent() == [ClientFrame(kind: .request, payload: .command(Command("set_prompt", ["prompt": "x"])))])
    #expect(throws: RequestFailure.unsupported) { try talk.machine.requestStep(StepRequest(), at: talk.now) }
    let publish = try talk.machine.publish("camera", at: talk.now)
    talk.answer(
      .response(to: "ctrl_1", .error(RemoteError(code: "PUBLISHER_SLOT_TAKEN", message: "m"))), on: .control)
    #expect(
      talk.events() == [
        .settled(publish, .failure(.remote(RemoteError(code: "PUBLISHER_SLOT_TAKEN", message: "m"))))
      ])
  }

  @Test func `what does not fit, or cannot be said, is refused before anything is sent`() throws {
    let talk = Talk(.v1, maxMessageSize: 1000)
    _ = talk.sent()
    let big = Command("a", ["x": .string(String(repeating: "y", count: 1000))])
    #expect(throws: RequestFailure.self) { try talk.machine.send(big, at: talk.now) }
    #expect(throws: RequestFailure.notRepresentable) {
      try talk.machine.send(Command("a", ["x": .number(.nan)]), at: talk.now)
    }
    #expect(throws: RequestFailure.notRepresentable) {
      try talk.machine.requestClip(seconds: .infinity, at: talk.now)
    }
    #expect(talk.sent().isEmpty && talk.events().isEmpty)
    _ = try talk.machine.send(Command("b"), at: talk.now)
    #expect(talk.sent().map(\.requestID) == ["data_1"], "a refused request uses no id")
    #expect(
      RequestFailure.tooLarge(size: 1022, limit: 1000).reactorError(operation: "send_command").code
        == .messageTooLarge)
  }

  @Test func `requests beyond the limit fail at once`() throws {
    let talk = Talk(.v1)
    for _ in 0..<ClientConversation.maxPending { _ = try talk.machine.send(Command("a"), at: talk.now) }
    #expect(throws: RequestFailure.tooMany(limit: 4096)) { try talk.machine.send(Command("a"), at: talk.now) }
    talk.machine.finish(.disconnected)
    #expect(talk.events().count == 4096)
    #expect(talk.sent().isEmpty && talk.machine.nextTimeout() == nil)
    #expect(throws: RequestFailure.channelClosed) { try talk.machine.send(Command("a"), at: talk.now) }
  }

  @Test func `a closed channel fails what is sent on it, the other goes on`() throws {
    let talk = Talk(.v1)
    talk.machine.channelClosed(.data)
    #expect(throws: RequestFailure.channelClosed) { try talk.machine.send(Command("a"), at: talk.now) }
    #expect(throws: Never.self) { try talk.machine.notify(.pauseTrack("main_video")) }
    #expect(RequestFailure.channelClosed.reactorError(operation: "x").code == .invalidState)
  }

  @Test func `cancelling settles at once, the late reply is only a message`() throws {
    let talk = Talk(.v1)
    let token = try talk.machine.send(Command("a"), at: talk.now)
    talk.machine.cancel(token)
    talk.machine.cancel(token)
    talk.answer(.response(to: "data_1", .message(ModelMessage("late"))))
    #expect(talk.events() == [.settled(token, .failure(.aborted)), .message(ModelMessage("late"))])
  }

  @Test func `what the platform says reaches the runtime's handlers`() {
    for generation in WireGeneration.allCases {
      let talk = Talk(generation)
      talk.answer(.notification(.moderation(Moderation(action: "terminate", message: "policy"))))
      talk.answer(.notification(.sessionEnded(reason: "shutting down")))
      talk.answer(.notification(.clipReady(ClipReady(playlistURL: "/p"))))
      let events = talk.events()
      guard case .runtimeMessage("moderation", let data) = events.first else {
        Issue.record("\(events)")
        continue
      }
      #expect(data["action"] == "terminate" && data["message"] == "policy")
      #expect(events.dropFirst().first == .sessionEnded(reason: "shutting down"))
      #expect(events.count == 3)
    }
    let talk = Talk(.v0)
    talk.answer(.notification(.other(type: "mediaStats", data: ["video": ["aggregateQos": 9]])))
    #expect(talk.events() == [.runtimeMessage(type: "mediaStats", data: ["video": ["aggregateQos": 9]])])
  }

  @Test func `an early JSON text is heard by a protobuf client, garbage is dropped`() {
    let talk = Talk(.v1)
    let text = #"{"scope":"application","data":{"type":"welcome","data":{"fps":30.0}}}"#
    talk.machine.handle(WireMessage(channel: .data, isText: true, bytes: Array(text.utf8)), at: talk.now)
    #expect(talk.events() == [.message(ModelMessage("welcome", ["fps": 30]))])
    for bytes: [UInt8] in [[0xFF], Array("{".utf8), [0x0A, 0x05]] {
      talk.machine.handle(WireMessage(channel: .data, isText: false, bytes: bytes), at: talk.now)
    }
    #expect(talk.events().count == 3)
  }

  @Test func `clip refusals are told apart by their reasons`() {
    func code(_ reason: String) -> ReactorError.Code {
      RequestFailure.clipFailed(reason: reason).reactorError(operation: "request_clip").code
    }
    #expect(code("recorder disabled or encoder crashed") == .recorderDisabled)
    #expect(code("no media generated yet") == .internalError)
  }

  @Test func `a random course keeps its promises: every request is settled exactly once`() throws {
    for seed in 0..<200 {
      var random = RandomSource(seed: UInt64(seed))
      let talk = Talk(random.uint32() & 1 == 0 ? .v0 : .v1)
      var open: Set<RequestToken> = []
      var settled: Set<RequestToken> = []
      for _ in 0..<200 {
        switch random.uint32() % 8 {
        case 0: open.insert(try talk.machine.send(Command("c"), at: talk.now))
        case 1: open.insert(try talk.machine.requestClip(seconds: 1, at: talk.now))
        case 2: open.insert(try talk.machine.publish("t", at: talk.now))
        case 3: open.insert(try talk.machine.requestSchema(at: talk.now))
        case 4: talk.answer(.response(to: "data_\(random.uint32() % 30)", .message(ModelMessage("m"))))
        case 5:
          talk.answer(.response(to: "ctrl_\(random.uint32() % 30)", .clipReady(ClipReady(playlistURL: "/p"))))
        case 6: talk.answer(.response(to: "ctrl_\(random.uint32() % 30)", .publishTrack("")))
        default: talk.advance(.milliseconds(Int64(random.uint32() % 4000)))
        }
        _ = talk.sent()
        for case .settled(let token, _) in talk.events() {
          #expect(settled.insert(token).inserted && open.contains(token), "seed \(seed)")
        }
      }
      talk.machine.finish(.disconnected)
      for case .settled(let token, _) in talk.events() {
        #expect(settled.insert(token).inserted, "seed \(seed)")
      }
      #expect(settled == open, "seed \(seed)")
    }
  }
}
