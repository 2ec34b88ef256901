// Made by Scripts/generate-interface-tests from section 9 of Fixtures/API/swift-api.md. Do not edit.
import Dispatch
import Foundation
import Reactor

enum InterfaceSection09 {
  static func check1() {
    func check<Conformer: Error & Sendable & Hashable>(_: Conformer.Type) {}
    check(ReactorError.self)
  }

  static func check2(_ it: ReactorError) {
    var value = it.code
    same(&value, (ReactorError.Code).self)
  }

  static func check3(_ it: ReactorError) {
    var value = it.message
    same(&value, (String).self)
  }

  static func check4(_ it: ReactorError) {
    var value = it.recoverable
    same(&value, (Bool).self)
  }

  static func check5(_ it: ReactorError) {
    var value = it.status
    same(&value, (Int?).self)
  }

  static func check6(_ it: ReactorError) {
    var value = it.operation
    same(&value, (String?).self)
  }

  static func check7(_ it: ReactorError) {
    var value = it.retryAfterMS
    same(&value, (Double?).self)
  }

  static func check8(_ it: ReactorError) {
    var value = it.timestampMS
    same(&value, (Double?).self)
  }

  static func check9(_ it: ReactorError) {
    var value = it.entry
    same(&value, (String?).self)
  }

  static func check10(_ it: ReactorError) {
    var value = it.commandCode
    same(&value, (String?).self)
  }

  static func check11(_ it: ReactorError) {
    var value = it.body
    same(&value, (JSONValue?).self)
  }

  static func check12(
    _ a0: ReactorError.Code, _ a1: String, _ a2: Bool, _ a3: Int?, _ a4: String?, _ a5: Double?, _ a6: Double?
  ) {
    var result = ReactorError(
      code: a0, message: a1, recoverable: a2, status: a3, operation: a4, retryAfterMS: a5, timestampMS: a6)
    same(&result, (ReactorError).self)
    _ = ReactorError(code: a0, message: a1)
  }

  static func check13(_ a0: ReactorError.Code, _ a1: String, _ a2: String?) {
    var result = ReactorError(a0, a1, operation: a2)
    same(&result, (ReactorError).self)
    _ = ReactorError(a0, a1)
  }

  static func check14() {
    func check<Conformer: RawRepresentable & Sendable & Hashable & CustomStringConvertible>(_: Conformer.Type)
    {}
    check(ReactorError.Code.self)
  }

  static func check15(_ it: ReactorError.Code) {
    var value = it.rawValue
    same(&value, (String).self)
  }

  static func check16(_ a0: String) {
    var result = ReactorError.Code(rawValue: a0)
    same(&result, (ReactorError.Code).self)
  }

  static func check17(_ it: ReactorError.Code) {
    var value = it.description
    same(&value, (String).self)
  }

  static func check18() {
    var value = ReactorError.Code.invalidState
    same(&value, (ReactorError.Code).self)
  }

  static func check19() {
    var value = ReactorError.Code.disconnected
    same(&value, (ReactorError.Code).self)
  }

  static func check20() {
    var value = ReactorError.Code.networkError
    same(&value, (ReactorError.Code).self)
  }

  static func check21() {
    var value = ReactorError.Code.requestTimeout
    same(&value, (ReactorError.Code).self)
  }

  static func check22() {
    var value = ReactorError.Code.transportError
    same(&value, (ReactorError.Code).self)
  }

  static func check23() {
    var value = ReactorError.Code.unauthorized
    same(&value, (ReactorError.Code).self)
  }

  static func check24() {
    var value = ReactorError.Code.notFound
    same(&value, (ReactorError.Code).self)
  }

  static func check25() {
    var value = ReactorError.Code.conflict
    same(&value, (ReactorError.Code).self)
  }

  static func check26() {
    var value = ReactorError.Code.rateLimited
    same(&value, (ReactorError.Code).self)
  }

  static func check27() {
    var value = ReactorError.Code.badRequest
    same(&value, (ReactorError.Code).self)
  }

  static func check28() {
    var value = ReactorError.Code.serverError
    same(&value, (ReactorError.Code).self)
  }

  static func check29() {
    var value = ReactorError.Code.versionMismatch
    same(&value, (ReactorError.Code).self)
  }

  static func check30() {
    var value = ReactorError.Code.decodeFailed
    same(&value, (ReactorError.Code).self)
  }

  static func check31() {
    var value = ReactorError.Code.sessionTerminal
    same(&value, (ReactorError.Code).self)
  }

  static func check32() {
    var value = ReactorError.Code.messageTooLarge
    same(&value, (ReactorError.Code).self)
  }

  static func check33() {
    var value = ReactorError.Code.aborted
    same(&value, (ReactorError.Code).self)
  }

  static func check34() {
    var value = ReactorError.Code.recorderDisabled
    same(&value, (ReactorError.Code).self)
  }

  static func check35() {
    var value = ReactorError.Code.internalError
    same(&value, (ReactorError.Code).self)
  }

  static func check36() {
    var value = ReactorError.Code.generationModeMismatch
    same(&value, (ReactorError.Code).self)
  }

  static func check37() {
    var value = ReactorError.Code.dataChannelChunkingRequired
    same(&value, (ReactorError.Code).self)
  }

  static func check38() {
    var value = ReactorError.Code.unsupportedFrameEncoding
    same(&value, (ReactorError.Code).self)
  }

  static func check39() {
    var value = ReactorError.Code.stepRefused
    same(&value, (ReactorError.Code).self)
  }

  static func check40() {
    var value = ReactorError.Code.stepNotReady
    same(&value, (ReactorError.Code).self)
  }

  static func check41() {
    var value = ReactorError.Code.stepResultTooLarge
    same(&value, (ReactorError.Code).self)
  }

  static func check42() {
    var value = ReactorError.Code.stepCommandFailed
    same(&value, (ReactorError.Code).self)
  }

  static func check43() {
    var value = ReactorError.Code.stepSessionEnded
    same(&value, (ReactorError.Code).self)
  }

  static func check44() {
    var value = ReactorError.invalidState
    same(&value, (ReactorError.Code).self)
  }

  static func check45() {
    var value = ReactorError.disconnected
    same(&value, (ReactorError.Code).self)
  }

  static func check46() {
    var value = ReactorError.networkError
    same(&value, (ReactorError.Code).self)
  }

  static func check47() {
    var value = ReactorError.requestTimeout
    same(&value, (ReactorError.Code).self)
  }

  static func check48() {
    var value = ReactorError.transportError
    same(&value, (ReactorError.Code).self)
  }

  static func check49() {
    var value = ReactorError.unauthorized
    same(&value, (ReactorError.Code).self)
  }

  static func check50() {
    var value = ReactorError.notFound
    same(&value, (ReactorError.Code).self)
  }

  static func check51() {
    var value = ReactorError.conflict
    same(&value, (ReactorError.Code).self)
  }

  static func check52() {
    var value = ReactorError.rateLimited
    same(&value, (ReactorError.Code).self)
  }

  static func check53() {
    var value = ReactorError.badRequest
    same(&value, (ReactorError.Code).self)
  }

  static func check54() {
    var value = ReactorError.serverError
    same(&value, (ReactorError.Code).self)
  }

  static func check55() {
    var value = ReactorError.versionMismatch
    same(&value, (ReactorError.Code).self)
  }

  static func check56() {
    var value = ReactorError.decodeFailed
    same(&value, (ReactorError.Code).self)
  }

  static func check57() {
    var value = ReactorError.sessionTerminal
    same(&value, (ReactorError.Code).self)
  }

  static func check58() {
    var value = ReactorError.messageTooLarge
    same(&value, (ReactorError.Code).self)
  }

  static func check59() {
    var value = ReactorError.aborted
    same(&value, (ReactorError.Code).self)
  }

  static func check60() {
    var value = ReactorError.recorderDisabled
    same(&value, (ReactorError.Code).self)
  }

  static func check61() {
    var value = ReactorError.internalError
    same(&value, (ReactorError.Code).self)
  }

  static func check62() {
    func check<Conformer: Sendable & Hashable & CaseIterable>(_: Conformer.Type) {}
    check(ReactorError.Kind.self)
  }

  static func check63(_ it: ReactorError.Kind) {
    switch it {
    case .state: break
    case .connection: break
    case .network: break
    case .timeout: break
    case .transport: break
    case .authorization: break
    case .notFound: break
    case .conflict: break
    case .rateLimit: break
    case .request: break
    case .server: break
    case .version: break
    case .decoding: break
    case .sessionEnded: break
    case .size: break
    case .aborted: break
    case .recorder: break
    case .step: break
    case .other: break
    }
  }

  static func check64(_ it: ReactorError) {
    var value = it.kind
    same(&value, (ReactorError.Kind).self)
  }

  static func check65(_ a0: ReactorError.Code, _ a1: any Error) {
    var result = a0 ~= a1
    same(&result, (Bool).self)
  }

  static func check66() {
    func check<Conformer: LocalizedError>(_: Conformer.Type) {}
    check(ReactorError.self)
  }

  static func check67(_ it: ReactorError) {
    var value = it.errorDescription
    same(&value, (String?).self)
  }

  static func check68() {
    func check<Conformer: CustomStringConvertible>(_: Conformer.Type) {}
    check(ReactorError.self)
  }

  static func check69(_ it: ReactorError) {
    var value = it.description
    same(&value, (String).self)
  }
}
