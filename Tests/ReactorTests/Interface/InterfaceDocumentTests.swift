import Foundation
import Reactor
import TestSupport
import Testing
import WireFormat

/// The other files of this folder use every declaration of the interface document, and hold when they compile.
struct InterfaceDocumentTests {
  @Test func `the interface's uses were made from the document as it is`() throws {
    let document = try Fixture.bytes("API/swift-api.md")
    #expect(
      CRC32.checksum(document.span.bytes) == interfaceDocumentCRC,
      "run Scripts/generate-interface-tests again")
  }

  /// A handler that ignores its argument fits both `onFrame`s: the one for pictures is taken.
  @Test func `frame handlers resolve without a type`() throws {
    let reactor = try Reactor(model: "acme/world", local: true)
    let track = try reactor.track("main_video")
    let subscriptions = [
      try track.onFrame { _ in },
      try track.onFrame { frame in show(frame.pixels, frame.width, frame.height) },
      try track.onFrame { frame in
        let samples = frame.samples
        #expect(samples.isEmpty)
      },
      try track.onFrame { (frame: AudioFrame) in show(frame.samples) },
      try track.onRawFrame { frame in show(frame.width) },
    ]
    #expect(subscriptions.count == 5)
  }
}

/// Compiles if the variable is of exactly this type: an `inout` argument is never converted.
func same<Value>(_: inout Value, _: Value.Type) {}

// What the documentation's examples take for granted.
let key = "rk_example"
func render(_ pixels: Data, _ width: UInt32, _ height: UInt32) {}
func show(_ pixels: Data, _ width: UInt32, _ height: UInt32) {}
func show(_ anything: some Sendable) {}
