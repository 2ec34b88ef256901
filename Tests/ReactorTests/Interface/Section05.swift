// Made by Scripts/generate-interface-tests from section 5 of Fixtures/API/swift-api.md. Do not edit.
import Dispatch
import Foundation
import Reactor

enum InterfaceSection05 {
  static func check1() {
    func check<Conformer: AnyObject>(_: Conformer.Type) {}
    check(Reactor.self)
  }

  static func check2(_ it: Reactor, _ a0: Duration) async throws {
    var result = try await it.requestClip(a0)
    same(&result, (Clip).self)
  }

  static func check3(_ it: Reactor) async throws {
    var result = try await it.requestRecording()
    same(&result, (Clip).self)
  }

  static func check4(
    _ it: Reactor, _ a0: Clip, _ a1: URL, _ a2: Duration?, _ a3: (@Sendable (DownloadProgress) -> Void)?
  ) async throws {
    var result = try await it.download(a0, to: a1, readyTimeout: a2, progress: a3)
    same(&result, (DownloadResult).self)
    _ = try await it.download(a0, to: a1)
    try await it.download(a0, to: a1)
  }

  static func check5(_ it: Reactor, _ a0: Clip, _ a1: Duration?, _ a2: RequestOptions) async throws {
    var result = try await it.openDownload(a0, readyTimeout: a1, options: a2)
    same(&result, (ClipDownload).self)
    _ = try await it.openDownload(a0)
  }

  static func check6() {
    func check<Conformer: Sendable & Hashable>(_: Conformer.Type) {}
    check(Clip.self)
  }

  static func check7(_ it: Clip) {
    var value = it.playlistURL
    same(&value, (String).self)
  }

  static func check8(_ it: Clip) {
    var value = it.sessionID
    same(&value, (String?).self)
  }

  static func check9(_ it: Clip) {
    var value = it.kind
    same(&value, (String?).self)
  }

  static func check10(_ it: Clip) {
    var value = it.predictedReadyAtMS
    same(&value, (Double?).self)
  }

  static func check11(_ it: Clip) {
    var value = it.raw
    same(&value, (JSONValue).self)
  }

  static func check12(_ it: Clip) {
    var value = it.startMarker
    same(&value, (Double?).self)
  }

  static func check13(_ it: Clip) {
    var value = it.endMarker
    same(&value, (Double?).self)
  }

  static func check14(_ it: Clip) {
    var value = it.nowMarker
    same(&value, (Double?).self)
  }

  static func check15() {
    func check<Conformer: Sendable & Hashable>(_: Conformer.Type) {}
    check(DownloadResult.self)
  }

  static func check16(_ it: DownloadResult) {
    var value = it.path
    same(&value, (URL).self)
  }

  static func check17(_ it: DownloadResult) {
    var value = it.bytes
    same(&value, (Int).self)
  }

  static func check18(_ it: DownloadResult) {
    var value = it.segments
    same(&value, (Int).self)
  }

  static func check19() {
    func check<Conformer: Sendable & Hashable>(_: Conformer.Type) {}
    check(DownloadProgress.self)
  }

  static func check20(_ it: DownloadProgress) {
    var value = it.done
    same(&value, (Int).self)
  }

  static func check21(_ it: DownloadProgress) {
    var value = it.total
    same(&value, (Int).self)
  }

  static func check22(_ it: DownloadProgress) {
    var value = it.fraction
    same(&value, (Double).self)
  }
}
