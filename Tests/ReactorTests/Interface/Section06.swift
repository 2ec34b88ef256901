// Made by Scripts/generate-interface-tests from section 6 of Fixtures/API/swift-api.md. Do not edit.
import Dispatch
import Foundation
import Reactor

enum InterfaceSection06 {
  static func check1() {
    func check<Conformer: AnyObject>(_: Conformer.Type) {}
    check(Reactor.self)
  }

  static func check2(_ it: Reactor, _ a0: String) throws {
    var result = try it.track(a0)
    same(&result, (Track).self)
  }

  static func check3(_ it: Reactor) {
    var value = it.tracks
    same(&value, (TrackList).self)
  }

  static func check4(_ it: Reactor) {
    var value = it.pausedTracks
    same(&value, (Set<String>).self)
  }

  static func check5() {
    var result = Reactor.timeMicros()
    same(&result, (Int64).self)
  }

  static func check6() {
    func check<Conformer: Sendable & CustomStringConvertible & AnyObject>(_: Conformer.Type) {}
    check(Track.self)
  }

  static func check7(_ it: Track) {
    var value = it.name
    same(&value, (String).self)
  }

  static func check8(_ it: Track) {
    var value = it.kind
    same(&value, (TrackKind?).self)
  }

  static func check9(_ it: Track) {
    var value = it.direction
    same(&value, (TrackDirection?).self)
  }

  static func check10(_ it: Track) {
    var value = it.mid
    same(&value, (String?).self)
  }

  static func check11(_ it: Track) {
    var value = it.paused
    same(&value, (Bool).self)
  }

  static func check12(_ it: Track) {
    var value = it.published
    same(&value, (Bool).self)
  }

  static func check13(_ it: Track) async throws {
    try await it.publish()
  }

  static func check14(_ it: Track) throws {
    try it.unpublish()
  }

  static func check15(_ it: Track) async throws {
    try await it.pause()
  }

  static func check16(_ it: Track) async throws {
    try await it.resume()
  }

  static func check17(_ it: Track, _ a0: Data, _ a1: UInt32, _ a2: UInt32, _ a3: Data?, _ a4: Int64?) throws {
    try it.pushFrame(a0, width: a1, height: a2, userData: a3, captureTimeUs: a4)
    try it.pushFrame(a0, width: a1, height: a2)
  }

  static func check18(
    _ it: Track, _ a0: UnsafeRawBufferPointer, _ a1: UInt32, _ a2: UInt32, _ a3: UnsafeRawBufferPointer?,
    _ a4: Int64?
  ) throws {
    try it.pushFrame(a0, width: a1, height: a2, userData: a3, captureTimeUs: a4)
    try it.pushFrame(a0, width: a1, height: a2)
  }

  static func check19(_ it: Track, _ a0: [Int16], _ a1: UInt32, _ a2: UInt32) throws {
    try it.pushFrame(a0, sampleRate: a1, channels: a2)
    try it.pushFrame(a0)
  }

  static func check20(_ it: Track, _ a0: @escaping @Sendable (VideoFrame) -> Void) throws {
    var result = try it.onFrame(a0)
    same(&result, (Subscription).self)
  }

  static func check21(_ it: Track, _ a0: @escaping @Sendable (AudioFrame) -> Void) throws {
    var result = try it.onFrame(a0)
    same(&result, (Subscription).self)
  }

  static func check22(_ it: Track, _ a0: @escaping @Sendable (borrowing RawVideoFrame) -> Void) throws {
    var result = try it.onRawFrame(a0)
    same(&result, (Subscription).self)
  }

  static func check23(_ it: Track) {
    var value = it.description
    same(&value, (String).self)
  }

  static func check24() {
    func check<Conformer: Sendable & RandomAccessCollection>(_: Conformer.Type) {}
    check(TrackList.self)
  }

  static func check25() {
    let _: (Track).Type = TrackList.Element.self
  }

  static func check26() {
    let _: (Int).Type = TrackList.Index.self
  }

  static func check27(_ it: TrackList) {
    var value = it.startIndex
    same(&value, (Int).self)
  }

  static func check28(_ it: TrackList) {
    var value = it.endIndex
    same(&value, (Int).self)
  }

  static func check29(_ it: TrackList, _ a0: Int) {
    var result = it[a0]
    same(&result, (Track).self)
  }

  static func check30(_ it: TrackList, _ a0: TrackKind) {
    var result = it.withKind(a0)
    same(&result, (TrackList).self)
  }

  static func check31(_ it: TrackList, _ a0: TrackDirection) {
    var result = it.withDirection(a0)
    same(&result, (TrackList).self)
  }

  static func check32(_ it: TrackList) throws {
    var result = try it.one()
    same(&result, (Track).self)
  }

  static func check33(_ it: TrackKind) {
    var value = it.rawValue
    same(&value, (String).self)
  }

  static func check34() {
    func check<Conformer: Sendable & CaseIterable>(_: Conformer.Type) {}
    check(TrackKind.self)
  }

  static func check35(_ it: TrackKind) {
    switch it {
    case .video: break
    case .audio: break
    }
  }

  static func check36(_ it: TrackDirection) {
    var value = it.rawValue
    same(&value, (String).self)
  }

  static func check37() {
    func check<Conformer: Sendable & CaseIterable>(_: Conformer.Type) {}
    check(TrackDirection.self)
  }

  static func check38(_ it: TrackDirection) {
    switch it {
    case .sendonly: break
    case .recvonly: break
    }
  }

  static func check39() {
    func check<Conformer: Sendable>(_: Conformer.Type) {}
    check(VideoFrame.self)
  }

  static func check40(_ it: VideoFrame) {
    var value = it.trackName
    same(&value, (String).self)
  }

  static func check41(_ it: VideoFrame) {
    var value = it.pixels
    same(&value, (Data).self)
  }

  static func check42(_ it: VideoFrame) {
    var value = it.width
    same(&value, (UInt32).self)
  }

  static func check43(_ it: VideoFrame) {
    var value = it.height
    same(&value, (UInt32).self)
  }

  static func check44(_ it: VideoFrame) {
    var value = it.frameID
    same(&value, (UInt64).self)
  }

  static func check45(_ it: VideoFrame) {
    var value = it.captureTimeUs
    same(&value, (UInt64).self)
  }

  static func check46(_ it: VideoFrame) {
    var value = it.userData
    same(&value, (Data?).self)
  }

  static func check47(_ it: borrowing RawVideoFrame) {
    var value = it.trackName
    same(&value, (String).self)
  }

  static func check48(_ it: borrowing RawVideoFrame) {
    var value = it.pixels
    same(&value, (UnsafeRawBufferPointer).self)
  }

  static func check49(_ it: borrowing RawVideoFrame) {
    var value = it.width
    same(&value, (UInt32).self)
  }

  static func check50(_ it: borrowing RawVideoFrame) {
    var value = it.height
    same(&value, (UInt32).self)
  }

  static func check51(_ it: borrowing RawVideoFrame) {
    var value = it.frameID
    same(&value, (UInt64).self)
  }

  static func check52(_ it: borrowing RawVideoFrame) {
    var value = it.captureTimeUs
    same(&value, (UInt64).self)
  }

  static func check53(_ it: borrowing RawVideoFrame) {
    var value = it.userData
    same(&value, (UnsafeRawBufferPointer?).self)
  }

  static func check54() {
    func check<Conformer: Sendable>(_: Conformer.Type) {}
    check(AudioFrame.self)
  }

  static func check55(_ it: AudioFrame) {
    var value = it.trackName
    same(&value, (String).self)
  }

  static func check56(_ it: AudioFrame) {
    var value = it.samples
    same(&value, ([Int16]).self)
  }

  static func check57(_ it: AudioFrame) {
    var value = it.sampleRate
    same(&value, (UInt32).self)
  }

  static func check58(_ it: AudioFrame) {
    var value = it.channels
    same(&value, (UInt32).self)
  }
}
