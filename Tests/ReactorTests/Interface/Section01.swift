// Made by Scripts/generate-interface-tests from section 1 of Fixtures/API/swift-api.md. Do not edit.
import Dispatch
import Foundation
import Reactor

enum InterfaceSection01 {
  static func check1() {
    var value = ReactorSDK.version
    same(&value, (String).self)
  }
}
