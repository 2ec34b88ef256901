// Made by Scripts/generate-interface-tests from section 7 of Fixtures/API/swift-api.md. Do not edit.
import Dispatch
import Foundation
import Reactor

enum InterfaceSection07 {
  static func check1() {
    func check<Conformer: AnyObject>(_: Conformer.Type) {}
    check(Reactor.self)
  }

  static func check2(_ it: Reactor, _ a0: Int?, _ a1: Int?, _ a2: Int?) async throws {
    try await it.setBitrate(minBPS: a0, startBPS: a1, maxBPS: a2)
    try await it.setBitrate()
  }

  static func check3() {
    func check<Conformer: AnyObject>(_: Conformer.Type) {}
    check(Track.self)
  }

  static func check4(_ it: Track, _ a0: Int?, _ a1: Int?) async throws {
    try await it.setBitrate(minBPS: a0, maxBPS: a1)
    try await it.setBitrate()
  }
}
