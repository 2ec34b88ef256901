import Foundation
import Reactor
import ReactorLocalRuntime
import Testing

@Suite(.serialized) struct EchoModelTests {
  @Test func `a silent camera is late first and gone after its patience`() {
    var watch = CameraWatch(patience: 3)
    #expect(watch.look(count: nil, isPublished: false) == .gone)
    #expect(watch.look(count: nil, isPublished: true) == .gone, "published, and never pushed to")
    #expect(watch.look(count: 1, isPublished: true) == .fresh)
    #expect(watch.look(count: 1, isPublished: true) == .late)
    #expect(watch.look(count: 2, isPublished: true) == .fresh)
    #expect((0..<4).map { _ in watch.look(count: 2, isPublished: true) } == [.late, .late, .gone, .gone])
    #expect(watch.look(count: 3, isPublished: true) == .fresh)
  }

  @Test func `an unpublished camera is gone at once, and its last pictures do not count`() {
    var watch = CameraWatch(patience: 100)
    #expect(watch.look(count: 1, isPublished: true) == .fresh)
    #expect(watch.look(count: 1, isPublished: false) == .gone)
    #expect(watch.look(count: 2, isPublished: false) == .gone)
    #expect(watch.look(count: 2, isPublished: true) == .gone)
    #expect(watch.look(count: 3, isPublished: true) == .fresh)
  }

  @Test(arguments: [false, true])
  func `the model's own picture returns after the camera`(isUnpublished: Bool) async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 64, height: 64))
    let reactor = try Reactor(model: "reactor/echo", apiURL: runtime.url, local: true)
    let tags = Log<String>()
    let subscription = try reactor.track("main_video").onRawFrame { frame in
      if let data = frame.userData { tags.add(String(decoding: data, as: UTF8.self)) }
    }
    try await reactor.connect()
    let camera = try reactor.track("camera")
    try await camera.publish()
    let pixels = Data(repeating: 90, count: 64 * 64 * 4)
    #expect(
      await eventually {
        try? camera.pushFrame(pixels, width: 64, height: 64, userData: Data("mine".utf8))
        try? await Task.sleep(for: .milliseconds(20))
        return tags.all.last == "mine"
      })
    if isUnpublished { try camera.unpublish() }
    #expect(await eventually { tags.all.last?.hasPrefix("{\"index\":") == true })
    try await reactor.disconnect()
    withExtendedLifetime(subscription) {}
    await runtime.stop()
  }
}
