// Made by Scripts/generate-interface-tests from section 10 of Fixtures/API/swift-api.md. Do not edit.
import Dispatch
import Foundation
import Reactor

enum InterfaceSection10 {
  static func check1() {
    func check<Conformer: Sendable & Hashable & Codable>(_: Conformer.Type) {}
    check(JSONValue.self)
  }

  static func check2(_ a0: any Decoder) throws {
    var result = try JSONValue(from: a0)
    same(&result, (JSONValue).self)
  }

  static func check3(_ it: JSONValue, _ a0: any Encoder) throws {
    try it.encode(to: a0)
  }

  static func check4(_ it: JSONValue) {
    var value = it.stringValue
    same(&value, (String?).self)
  }

  static func check5(_ it: JSONValue) {
    var value = it.doubleValue
    same(&value, (Double?).self)
  }

  static func check6(_ it: JSONValue) {
    var value = it.intValue
    same(&value, (Int?).self)
  }

  static func check7(_ it: JSONValue) {
    var value = it.boolValue
    same(&value, (Bool?).self)
  }

  static func check8(_ it: JSONValue) {
    var value = it.objectValue
    same(&value, ([String: JSONValue]?).self)
  }

  static func check9(_ it: JSONValue) {
    var value = it.arrayValue
    same(&value, ([JSONValue]?).self)
  }

  static func check10(_ it: JSONValue, _ a0: String) {
    var result = it[a0]
    same(&result, (JSONValue?).self)
  }

  static func check11(_ it: JSONValue) {
    switch it {
    case .string(var value): same(&value, (String).self)
    case .number(var value): same(&value, (Double).self)
    case .bool(var value): same(&value, (Bool).self)
    case .object(var value): same(&value, ([String: JSONValue]).self)
    case .array(var value): same(&value, ([JSONValue]).self)
    case .null: break
    }
  }

  static func check12() {
    func check<Conformer: ExpressibleByStringLiteral>(_: Conformer.Type) {}
    check(JSONValue.self)
  }

  static func check13(_ a0: String) {
    var result = JSONValue(stringLiteral: a0)
    same(&result, (JSONValue).self)
  }

  static func check14() {
    func check<Conformer: ExpressibleByIntegerLiteral>(_: Conformer.Type) {}
    check(JSONValue.self)
  }

  static func check15(_ a0: Int) {
    var result = JSONValue(integerLiteral: a0)
    same(&result, (JSONValue).self)
  }

  static func check16() {
    func check<Conformer: ExpressibleByFloatLiteral>(_: Conformer.Type) {}
    check(JSONValue.self)
  }

  static func check17(_ a0: Double) {
    var result = JSONValue(floatLiteral: a0)
    same(&result, (JSONValue).self)
  }

  static func check18() {
    func check<Conformer: ExpressibleByBooleanLiteral>(_: Conformer.Type) {}
    check(JSONValue.self)
  }

  static func check19(_ a0: Bool) {
    var result = JSONValue(booleanLiteral: a0)
    same(&result, (JSONValue).self)
  }

  static func check20() {
    func check<Conformer: ExpressibleByNilLiteral>(_: Conformer.Type) {}
    check(JSONValue.self)
  }

  static func check21(_ a0: ()) {
    var result = JSONValue(nilLiteral: a0)
    same(&result, (JSONValue).self)
  }

  static func check22() {
    func check<Conformer: ExpressibleByArrayLiteral>(_: Conformer.Type) {}
    check(JSONValue.self)
  }

  static func check23(_ a0: JSONValue) {
    var result = JSONValue(arrayLiteral: a0, a0)
    same(&result, (JSONValue).self)
  }

  static func check24() {
    func check<Conformer: ExpressibleByDictionaryLiteral>(_: Conformer.Type) {}
    check(JSONValue.self)
  }

  static func check25(_ a0: (String, JSONValue)) {
    var result = JSONValue(dictionaryLiteral: a0, a0)
    same(&result, (JSONValue).self)
  }
}
