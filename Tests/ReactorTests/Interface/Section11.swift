// Made by Scripts/generate-interface-tests from section 11 of Fixtures/API/swift-api.md. Do not edit.
import Dispatch
import Foundation
import Reactor

enum InterfaceSection11 {
  static func check1() {
    func check<Conformer: AnyObject>(_: Conformer.Type) {}
    check(Reactor.self)
  }

  static func check2(_ a0: String, _ a1: String, _ a2: Reactor.TokenOptions?, _ a3: Bool) async throws {
    var result = try await Reactor.fetchJWT(apiKey: a0, apiURL: a1, options: a2, local: a3)
    same(&result, (String).self)
    _ = try await Reactor.fetchJWT(apiKey: a0)
  }

  static func check3() {
    func check<Conformer: Sendable & Hashable & Encodable>(_: Conformer.Type) {}
    check(Reactor.TokenOptions.self)
  }

  static func check4(_ it: inout Reactor.TokenOptions) {
    var value = it.models
    same(&value, ([String]?).self)
    it.models = value
  }

  static func check5(_ it: inout Reactor.TokenOptions) {
    var value = it.maxSessions
    same(&value, (Int?).self)
    it.maxSessions = value
  }

  static func check6(_ it: inout Reactor.TokenOptions) {
    var value = it.expiresAfter
    same(&value, (Int?).self)
    it.expiresAfter = value
  }

  static func check7(_ a0: [String]?, _ a1: Int?, _ a2: Int?) {
    var result = Reactor.TokenOptions(models: a0, maxSessions: a1, expiresAfter: a2)
    same(&result, (Reactor.TokenOptions).self)
    _ = Reactor.TokenOptions()
  }

  static func check8(_ it: Reactor.TokenOptions, _ a0: any Encoder) throws {
    try it.encode(to: a0)
  }

  static func check9(_ a0: TokenRequest) async throws {
    var result = try await Reactor.mintToken(a0)
    same(&result, (TokenGrant).self)
  }

  static func check10() {
    let _: (Reactor.TokenOptions).Type = TokenOptions.self
  }

  static func check11() {
    func check<Conformer: Sendable>(_: Conformer.Type) {}
    check(TokenRequest.self)
  }

  static func check12(_ it: inout TokenRequest) {
    var value = it.apiKey
    same(&value, (String).self)
    it.apiKey = value
  }

  static func check13(_ it: inout TokenRequest) {
    var value = it.apiURL
    same(&value, (String).self)
    it.apiURL = value
  }

  static func check14(_ it: inout TokenRequest) {
    var value = it.scope
    same(&value, (TokenOptions).self)
    it.scope = value
  }

  static func check15(_ it: inout TokenRequest) {
    var value = it.sessions
    same(&value, ([String]?).self)
    it.sessions = value
  }

  static func check16(_ it: inout TokenRequest) {
    var value = it.maxSessionDuration
    same(&value, (Duration?).self)
    it.maxSessionDuration = value
  }

  static func check17(_ it: inout TokenRequest) {
    var value = it.options
    same(&value, (RequestOptions).self)
    it.options = value
  }

  static func check18(_ a0: String) {
    var result = TokenRequest(apiKey: a0)
    same(&result, (TokenRequest).self)
  }

  static func check19() {
    func check<Conformer: Sendable & Hashable>(_: Conformer.Type) {}
    check(TokenGrant.self)
  }

  static func check20(_ it: TokenGrant) {
    var value = it.jwt
    same(&value, (String).self)
  }

  static func check21(_ it: TokenGrant) {
    var value = it.expiresAt
    same(&value, (Date?).self)
  }

  static func check22(_ it: TokenGrant) {
    var value = it.extraFields
    same(&value, ([String: JSONValue]).self)
  }
}
