// Made by Scripts/generate-interface-tests from section 2 of Fixtures/API/swift-api.md. Do not edit.
import Dispatch
import Foundation
import Reactor

enum InterfaceSection02 {
  static func check1() {
    func check<Conformer: Sendable & AnyObject>(_: Conformer.Type) {}
    check(Reactor.self)
  }

  static func check2() {
    var value = Reactor.defaultAPIURL
    same(&value, (String).self)
  }

  static func check3() {
    var value = Reactor.localAPIURL
    same(&value, (String).self)
  }

  static func check4(_ a0: String, _ a1: String?, _ a2: String, _ a3: Bool, _ a4: DispatchQueue?) throws {
    var result = try Reactor(model: a0, jwt: a1, apiURL: a2, local: a3, eventQueue: a4)
    same(&result, (Reactor).self)
    _ = try Reactor(model: a0)
  }

  static func check5(
    _ a0: String, _ a1: String, _ a2: String, _ a3: Reactor.TokenOptions?, _ a4: Bool, _ a5: DispatchQueue?
  ) async throws {
    var result = try await Reactor(model: a0, apiKey: a1, apiURL: a2, options: a3, local: a4, eventQueue: a5)
    same(&result, (Reactor).self)
    _ = try await Reactor(model: a0, apiKey: a1)
  }

  static func check6(
    _ a0: String, _ a1: (any TokenStore)?, _ a2: ReactorConfiguration, _ a3: DispatchQueue?
  ) throws {
    var result = try Reactor(model: a0, tokens: a1, configuration: a2, eventQueue: a3)
    same(&result, (Reactor).self)
    _ = try Reactor(model: a0, tokens: a1, configuration: a2)
  }

  static func check7(_ it: Reactor, _ a0: String?, _ a1: UInt32?) async throws {
    try await it.connect(sessionID: a0, connectionID: a1)
    try await it.connect()
  }

  static func check8(_ it: Reactor) async throws {
    try await it.reconnect()
  }

  static func check9(_ it: Reactor) async throws {
    try await it.disconnect()
  }

  static func check10(_ it: Reactor) {
    it.close()
  }

  static func check11(_ it: Reactor) {
    var value = it.status
    same(&value, (ReactorStatus).self)
  }

  static func check12(_ it: Reactor) {
    var value = it.sessionID
    same(&value, (String?).self)
  }

  static func check13(_ it: Reactor) {
    var value = it.isClosed
    same(&value, (Bool).self)
  }
}
