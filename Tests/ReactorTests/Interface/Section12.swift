// Made by Scripts/generate-interface-tests from section 12 of Fixtures/API/swift-api.md. Do not edit.
import Dispatch
import Foundation
import Reactor

enum InterfaceSection12 {
  static func check1(_ it: GenerationMode) {
    var value = it.rawValue
    same(&value, (String).self)
  }

  static func check2() {
    func check<Conformer: Sendable & CaseIterable>(_: Conformer.Type) {}
    check(GenerationMode.self)
  }

  static func check3(_ it: GenerationMode) {
    switch it {
    case .streamed: break
    case .stepped: break
    }
  }
}
