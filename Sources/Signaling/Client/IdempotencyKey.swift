/// Random keys that tell a server that two requests are one.
enum IdempotencyKey {
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return [generator.next(), generator.next()].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
