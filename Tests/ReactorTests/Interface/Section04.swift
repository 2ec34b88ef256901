// Made by Scripts/generate-interface-tests from section 4 of Fixtures/API/swift-api.md. Do not edit.
import Dispatch
import Foundation
import Reactor

enum InterfaceSection04 {
  static func check1() {
    func check<Conformer: AnyObject>(_: Conformer.Type) {}
    check(Reactor.self)
  }

  static func check2(_ it: Reactor, _ a0: String, _ a1: JSONValue?, _ a2: [String: FileRef]) async throws {
    var result = try await it.sendCommand(a0, a1, uploads: a2)
    same(&result, (CommandReply?).self)
    _ = try await it.sendCommand(a0)
    try await it.sendCommand(a0)
  }

  static func check3(
    _ it: Reactor, _ a0: String, _ a1: some Encodable & Sendable, _ a2: [String: FileRef]
  ) async throws {
    var result = try await it.sendCommand(a0, arguments: a1, uploads: a2)
    same(&result, (CommandReply?).self)
    _ = try await it.sendCommand(a0, arguments: a1)
    try await it.sendCommand(a0, arguments: a1)
  }

  static func check4(_ it: Reactor) async throws {
    var result = try await it.requestSchema()
    same(&result, (JSONValue).self)
  }

  static func check5(_ it: Reactor, _ a0: URL) async throws {
    var result = try await it.uploadFile(at: a0)
    same(&result, (FileRef).self)
  }

  static func check6(_ it: Reactor, _ a0: Data, _ a1: String, _ a2: String) async throws {
    var result = try await it.uploadData(a0, name: a1, mimeType: a2)
    same(&result, (FileRef).self)
  }

  static func check7(
    _ it: Reactor, _ a0: URL, _ a1: String?, _ a2: String?, _ a3: RequestOptions
  ) async throws {
    var result = try await it.uploadFile(at: a0, name: a1, mimeType: a2, options: a3)
    same(&result, (FileRef).self)
    _ = try await it.uploadFile(at: a0, name: a1)
  }

  static func check8() {
    func check<Conformer: Sendable & Hashable>(_: Conformer.Type) {}
    check(CommandReply.self)
  }

  static func check9(_ it: CommandReply) {
    var value = it.type
    same(&value, (String?).self)
  }

  static func check10(_ it: CommandReply) {
    var value = it.data
    same(&value, (JSONValue?).self)
  }

  static func check11<T>(_ it: CommandReply, _ a0: T.Type) throws where T: Decodable {
    var result = try it.decode(a0)
    same(&result, (T).self)
  }

  static func check12() {
    func check<Conformer: Sendable & Hashable & Codable>(_: Conformer.Type) {}
    check(FileRef.self)
  }

  static func check13(_ it: FileRef) {
    var value = it.uploadID
    same(&value, (String).self)
  }

  static func check14(_ it: FileRef) {
    var value = it.name
    same(&value, (String).self)
  }

  static func check15(_ it: FileRef) {
    var value = it.mimeType
    same(&value, (String).self)
  }

  static func check16(_ it: FileRef) {
    var value = it.size
    same(&value, (Int).self)
  }

  static func check17(_ it: FileRef) {
    var value = it.extraFields
    same(&value, ([String: JSONValue]).self)
  }

  static func check18(_ a0: String, _ a1: String, _ a2: String, _ a3: Int) {
    var result = FileRef(uploadID: a0, name: a1, mimeType: a2, size: a3)
    same(&result, (FileRef).self)
  }

  static func check19(_ a0: any Decoder) throws {
    var result = try FileRef(from: a0)
    same(&result, (FileRef).self)
  }

  static func check20(_ it: FileRef, _ a0: any Encoder) throws {
    try it.encode(to: a0)
  }
}
