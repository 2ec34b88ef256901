// Made by Scripts/generate-interface-tests from section 3 of Fixtures/API/swift-api.md. Do not edit.
import Dispatch
import Foundation
import Reactor

enum InterfaceSection03 {
  static func check1() {
    func check<Conformer: AnyObject>(_: Conformer.Type) {}
    check(Reactor.self)
  }

  static func check2(_ it: Reactor, _ a0: @escaping @Sendable (ReactorStatus) -> Void) {
    var result = it.onStatus(a0)
    same(&result, (Subscription).self)
  }

  static func check3(_ it: Reactor, _ a0: @escaping @Sendable (ReactorError) -> Void) {
    var result = it.onError(a0)
    same(&result, (Subscription).self)
  }

  static func check4(_ it: Reactor, _ a0: @escaping @Sendable (JSONValue) -> Void) {
    var result = it.onMessage(a0)
    same(&result, (Subscription).self)
  }

  static func check5(_ it: Reactor, _ a0: @escaping @Sendable (JSONValue) -> Void) {
    var result = it.onRuntimeMessage(a0)
    same(&result, (Subscription).self)
  }

  static func check6(_ it: Reactor) {
    var value = it.statusUpdates
    same(&value, (AsyncStream<ReactorStatus>).self)
  }

  static func check7(_ it: Reactor) {
    var value = it.errors
    same(&value, (AsyncStream<ReactorError>).self)
  }

  static func check8(_ it: Reactor) {
    var value = it.messages
    same(&value, (AsyncStream<JSONValue>).self)
  }

  static func check9(_ it: Reactor, _ a0: @escaping @Sendable (Track) -> Void) {
    var result = it.onTrack(a0)
    same(&result, (Subscription).self)
  }

  static func check10(_ it: Reactor, _ a0: @escaping @Sendable (Capabilities) -> Void) {
    var result = it.onCapabilities(a0)
    same(&result, (Subscription).self)
  }

  static func check11(_ it: Reactor, _ a0: @escaping @Sendable (String?) -> Void) {
    var result = it.onSessionID(a0)
    same(&result, (Subscription).self)
  }

  static func check12(_ it: Reactor) {
    var value = it.capabilities
    same(&value, (Capabilities?).self)
  }

  static func check13(_ it: ReactorStatus) {
    var value = it.rawValue
    same(&value, (String).self)
  }

  static func check14() {
    func check<Conformer: Sendable & CaseIterable>(_: Conformer.Type) {}
    check(ReactorStatus.self)
  }

  static func check15(_ it: ReactorStatus) {
    switch it {
    case .disconnected: break
    case .connecting: break
    case .waiting: break
    case .ready: break
    }
  }

  static func check16() {
    func check<Conformer: Sendable & AnyObject>(_: Conformer.Type) {}
    check(Subscription.self)
  }

  static func check17(_ it: Subscription) {
    it.cancel()
  }

  static func check18() {
    func check<Conformer: Sendable & Hashable>(_: Conformer.Type) {}
    check(Capabilities.self)
  }

  static func check19() {
    func check<Conformer: Sendable & Hashable>(_: Conformer.Type) {}
    check(Capabilities.TrackCapability.self)
  }

  static func check20(_ it: Capabilities.TrackCapability) {
    var value = it.name
    same(&value, (String).self)
  }

  static func check21(_ it: Capabilities.TrackCapability) {
    var value = it.kind
    same(&value, (TrackKind).self)
  }

  static func check22(_ it: Capabilities.TrackCapability) {
    var value = it.direction
    same(&value, (TrackDirection).self)
  }

  static func check23() {
    func check<Conformer: Sendable & Hashable>(_: Conformer.Type) {}
    check(Capabilities.CommandCapability.self)
  }

  static func check24(_ it: Capabilities.CommandCapability) {
    var value = it.name
    same(&value, (String).self)
  }

  static func check25(_ it: Capabilities.CommandCapability) {
    var value = it.description
    same(&value, (String?).self)
  }

  static func check26(_ it: Capabilities.CommandCapability) {
    var value = it.schema
    same(&value, (JSONValue?).self)
  }

  static func check27(_ it: Capabilities) {
    var value = it.protocolVersion
    same(&value, (String).self)
  }

  static func check28(_ it: Capabilities) {
    var value = it.tracks
    same(&value, ([Capabilities.TrackCapability]).self)
  }

  static func check29(_ it: Capabilities) {
    var value = it.commands
    same(&value, ([Capabilities.CommandCapability]).self)
  }

  static func check30(_ it: Capabilities) {
    var value = it.emissionFPS
    same(&value, (Double?).self)
  }

  static func check31(_ it: Capabilities) {
    var value = it.extraFields
    same(&value, ([String: JSONValue]).self)
  }
}
