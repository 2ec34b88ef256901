import Reactor

extension JSONValue {
  /// The text, or JSON's null.
  static func field(_ text: String?) -> JSONValue {
    if let text { .string(text) } else { .null }
  }

  /// The number, or JSON's null, also for what JSON cannot say.
  static func field(_ number: Double?) -> JSONValue {
    if let number, number.isFinite { .number(number) } else { .null }
  }

  static func field(_ count: Int) -> JSONValue { .number(Double(count)) }
}
