// swift-format-ignore-file
// Made by Scripts/documented-code from the documentation: change the text there, and run the script.
import Foundation
import Reactor
import ReactorLocalRuntime
import Testing

func exampleREADME1() async throws {
#sourceLocation(file: "README.md", line: 9)


let reactor = try await Reactor(model: "acme/world", apiKey: key)
let frames = try reactor.track("main_video").onFrame { frame in show(frame.pixels, frame.width, frame.height) }
try await reactor.connect()
try await reactor.sendCommand("set_prompt", ["prompt": "a red fox"])
#sourceLocation()
  _ = reactor
  _ = frames
}

func exampleAudio1() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Audio.md", line: 8)
let sound = try reactor.track("main_audio").onFrame { (frame: AudioFrame) in
  play(frame)
}
#sourceLocation()
  _ = sound
}

func exampleAudio2() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Audio.md", line: 23)
let microphone = try reactor.track("mic")
try await microphone.publish()
try microphone.pushFrame(samples, sampleRate: 44_100, channels: 2)
#sourceLocation()
  _ = microphone
}

func exampleBitrates1() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Bitrates.md", line: 12)
try await reactor.setBitrate(startBPS: 2_000_000, maxBPS: 6_000_000)
try await reactor.track("camera").setBitrate(maxBPS: 3_000_000)
#sourceLocation()
}

func exampleBitrates2() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Bitrates.md", line: 26)
let stats = try await reactor.stats()
print("round trip \(stats.rttMS ?? 0) ms by \(stats.candidateType ?? "?")")
for stream in stats.inbound {
  print(stream.kind ?? "?", stream.framesPerSecond, stream.packetsLost)
}
#sourceLocation()
  _ = stats
}

func exampleErrors1() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Errors.md", line: 10)
do {
  try await reactor.connect()
} catch ReactorError.unauthorized {
  print("the token is missing, has expired, or is not good for this model")
} catch ReactorError.rateLimited {
  print("too many sessions at once")
} catch let error as ReactorError where error.recoverable {
  print("worth another try: \(error.message)")
}
#sourceLocation()
}

#sourceLocation(file: "Sources/Reactor/Reactor.docc/Errors.md", line: 30)
func advice(_ error: ReactorError) -> String {
  switch error.kind {
  case .authorization: "Sign in again."
  case .network, .timeout, .transport, .connection: "Check the network."
  case .rateLimit: "Wait \(Int((error.retryAfterMS ?? 1000) / 1000)) s."
  case .sessionEnded: "Start a new session."
  default: error.message
  }
}
#sourceLocation()

#sourceLocation(file: "Sources/Reactor/Reactor.docc/Errors.md", line: 46)
extension ReactorError.Code {
  static let promptEmpty = ReactorError.Code(rawValue: "prompt_empty")
}
#sourceLocation()

func exampleErrors2() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Errors.md", line: 52)
do {
  try await reactor.sendCommand("set_prompt", ["prompt": ""])
} catch ReactorError.Code.promptEmpty {
  print("say something")
}
#sourceLocation()
}

func exampleErrors3() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Errors.md", line: 75)
let platform = reactor.onRuntimeMessage { message in
  if message["type"] == "sessionEnded" {
    print(message["data"]?["reason"]?.stringValue ?? "no reason given")
  }
}
#sourceLocation()
  _ = platform
}

func exampleFramesAndThreads1() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/FramesAndThreads.md", line: 30)
let frames = try reactor.track("main_video").onRawFrame { frame in
  draw(frame.pixels, width: Int(frame.width), height: Int(frame.height))
}
#sourceLocation()
  _ = frames
}

func exampleFramesAndThreads2() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/FramesAndThreads.md", line: 44)
let scope = try reactor.track("main_video").frameScope()
defer { scope.close() }
for try await frame in scope {
  show(frame)
}
#sourceLocation()
  _ = scope
}

func exampleGettingStarted1() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/GettingStarted.md", line: 22)
let reactor = try await Reactor(model: "acme/world", apiKey: key)
let frames = try reactor.track("main_video").onFrame { frame in show(frame) }
try await reactor.connect()
try await reactor.sendCommand("set_prompt", ["prompt": "a red fox"])
try await reactor.disconnect()
#sourceLocation()
  _ = reactor
  _ = frames
}

func exampleGettingStarted2() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/GettingStarted.md", line: 46)



let runtime = try LocalRuntime(model: EchoModel())
let reactor = try Reactor(model: "reactor/echo", apiURL: runtime.url, local: true)
try await reactor.connect()
print(reactor.tracks.map(\.name))
try await reactor.disconnect()
await runtime.stop()
#sourceLocation()
  _ = runtime
  _ = reactor
}

func exampleGettingStarted3() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/GettingStarted.md", line: 64)
struct Prompt: Encodable {
  var prompt: String
}
struct Accepted: Decodable {
  var length: Int
}

let reply = try await reactor.sendCommand("set_prompt", arguments: Prompt(prompt: "a red fox"))
if let reply {
  print(try reply.decode(Accepted.self).length)
}
#sourceLocation()
  _ = reply
}

func exampleGettingStarted4() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/GettingStarted.md", line: 80)
let listening = Task {
  for await message in reactor.messages {
    print(message["type"]?.stringValue ?? "?", message["data"] ?? .null)
  }
}
#sourceLocation()
  _ = listening
}

func exampleReactor1() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Reactor.md", line: 11)


let reactor = try await Reactor(model: "acme/world", apiKey: key)
let frames = try reactor.track("main_video").onFrame { frame in
  show(frame.pixels, frame.width, frame.height)
}
try await reactor.connect()
try await reactor.sendCommand("set_prompt", ["prompt": "a red fox"])
try await reactor.sendCommand("start")
#sourceLocation()
  _ = reactor
  _ = frames
}

func exampleReconnecting1() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Reconnecting.md", line: 25)
for await status in reactor.statusUpdates {
  guard status == .disconnected, reactor.sessionID != nil else { continue }
  for attempt in 1...5 {
    do {
      try await reactor.reconnect()
      try await reactor.track("camera").publish()
      break
    } catch let error as ReactorError where error.recoverable && attempt < 5 {
      try await Task.sleep(for: .milliseconds(error.retryAfterMS ?? 500 * Double(attempt)))
    }
  }
}
#sourceLocation()
}

func exampleReconnecting2() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Reconnecting.md", line: 58)
if let session = reactor.sessionID {
  let other = try Reactor(model: "acme/world", jwt: jwt)
  try await other.connect(sessionID: session)
  try await other.disconnect()
}
#sourceLocation()
}

func exampleRecordings1() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Recordings.md", line: 6)
let clip = try await reactor.requestClip(.seconds(10))
let file = URL(fileURLWithPath: "last-ten-seconds.mp4")
let result = try await reactor.download(clip, to: file) { progress in
  print(Int(progress.fraction * 100), "%")
}
print(result.bytes, "bytes in", result.segments, "segments")
#sourceLocation()
  _ = clip
  _ = file
  _ = result
}

func exampleRecordings2() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Recordings.md", line: 32)
let clip = try await reactor.requestRecording()
let download = try await reactor.openDownload(clip)
defer { download.close() }
for try await chunk in download.chunks() {
  print(chunk.count, "bytes of", download.contentType)
}
#sourceLocation()
  _ = clip
  _ = download
}

#sourceLocation(file: "Sources/Reactor/Reactor.docc/TestingWithTheLocalRuntime.md", line: 9)




struct PromptTests {
  @Test func `a prompt is accepted`() async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 320, height: 180))
    let reactor = try Reactor(model: "reactor/echo", apiURL: runtime.url, local: true)
    try await reactor.connect()
    let reply = try await reactor.sendCommand("set_prompt", ["prompt": "a red fox"])
    #expect(reply?.type == "prompt_accepted")
    try await reactor.disconnect()
    await runtime.stop()
  }
}
#sourceLocation()

#sourceLocation(file: "Sources/Reactor/Reactor.docc/TestingWithTheLocalRuntime.md", line: 31)


struct Painter: LocalModel {
  let name = "acme/painter"
  let tracks = [LocalModelTrack("main_video", .video, .output)]
  let commands = [LocalModelCommand("paint", parameters: [.init("grey", .number)])]

  func run(_ session: LocalSession) async throws {
    let white = [UInt8](repeating: 255, count: 320 * 180 * 4)
    while !Task.isCancelled {
      session.emit(white, width: 320, height: 180, on: "main_video")
      try await Task.sleep(for: .milliseconds(33))
    }
  }

  func handle(_ call: LocalModelCall, in session: LocalSession) async throws -> LocalModelMessage? {
    guard let grey = call.arguments["grey"]?.doubleValue, (0...1).contains(grey) else {
      throw LocalModelError("out_of_range", "grey is from 0 to 1")
    }
    return LocalModelMessage("painted", ["grey": .number(grey)])
  }
}
#sourceLocation()

func exampleTestingWithTheLocalRuntime1() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/TestingWithTheLocalRuntime.md", line: 63)


var configuration = LocalRuntimeConfiguration()
configuration.faults.startStatus = 429
let runtime = try LocalRuntime(model: EchoModel(), configuration: configuration)
await runtime.setFaults(LocalRuntimeConfiguration.Faults())
await runtime.dropConnections()
await runtime.endSession(reason: "maintenance")
await runtime.stop()
#sourceLocation()
  _ = configuration
  _ = runtime
}

func exampleTracks1() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Tracks.md", line: 12)
let picture = try reactor.tracks.withDirection(.recvonly).withKind(.video).one()
print(picture.name)
#sourceLocation()
  _ = picture
}

func exampleTracks2() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Tracks.md", line: 25)
let frames = try reactor.track("main_video").onFrame { frame in show(frame) }
#sourceLocation()
  _ = frames
}

func exampleTracks3() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Tracks.md", line: 33)
let track = try reactor.track("main_video")
try await track.pause()
try await track.resume()
#sourceLocation()
  _ = track
}

func exampleTracks4() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Tracks.md", line: 43)
let camera = try reactor.track("camera")
try await camera.publish()
try camera.pushFrame(bgra, width: 1280, height: 720)
try camera.unpublish()
#sourceLocation()
  _ = camera
}

func exampleTracks5() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Tracks.md", line: 63)
let now = Reactor.timeMicros()
try reactor.track("camera").pushFrame(
  bgra, width: 1280, height: 720, userData: Data("frame 7".utf8), captureTimeUs: now)
#sourceLocation()
  _ = now
}

func exampleTroubleshooting1() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Troubleshooting.md", line: 46)
ReactorLog.setHandler { entry in
  if entry.level >= .warning { print(entry.message) }
}
print(reactor.debugDump)
#sourceLocation()
}

func exampleUploads1() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Uploads.md", line: 6)
let image = try await reactor.uploadFile(at: URL(fileURLWithPath: "fox.png"))
try await reactor.sendCommand("set_image", ["strength": 0.5], uploads: ["image": image])
#sourceLocation()
  _ = image
}

func exampleUploads2() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.docc/Uploads.md", line: 17)
struct Scene: Encodable {
  var title: String
  var background: FileRef
}

let sky = try await reactor.uploadData(samplePNG, name: "sky.png", mimeType: "image/png")
try await reactor.sendCommand("set_scene", arguments: Scene(title: "evening", background: sky))
#sourceLocation()
  _ = sky
}

func exampleReactor2() async throws {
#sourceLocation(file: "Sources/Reactor/Reactor.swift", line: 15)
let reactor = try await Reactor(model: "acme/world", apiKey: key)
let frames = try reactor.track("main_video").onFrame { frame in show(frame) }
try await reactor.connect()
try await reactor.sendCommand("set_prompt", ["prompt": "a red fox"])
#sourceLocation()
  _ = reactor
  _ = frames
}

func exampleLocalRuntime1() async throws {
#sourceLocation(file: "Sources/ReactorLocalRuntime/LocalRuntime.swift", line: 9)
let runtime = try LocalRuntime(model: EchoModel())
let reactor = try Reactor(model: "reactor/echo", apiURL: runtime.url, local: true)
try await reactor.connect()
#sourceLocation()
  _ = runtime
  _ = reactor
}

func exampleStreamScope1() async throws {
#sourceLocation(file: "Sources/ReactorTypes/Streams/StreamScope.swift", line: 4)
let scope = reactor.messageScope()
defer { scope.close() }
for try await message in scope { print(message) }
#sourceLocation()
  _ = scope
}

/// Examples that need nothing from outside.
let runnableCode: [DocumentedCode] = [
  DocumentedCode("Sources/Reactor/Reactor.docc/GettingStarted.md:46", exampleGettingStarted2),
  DocumentedCode("Sources/Reactor/Reactor.docc/TestingWithTheLocalRuntime.md:63", exampleTestingWithTheLocalRuntime1),
]
