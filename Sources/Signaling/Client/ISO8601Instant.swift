/// A moment written as `2026-11-30T08:00:00.123Z` or with an offset (RFC 3339).
struct ISO8601Instant: Hashable, Sendable {
  let unixSeconds: Double

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[range] {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    func mark(_ offset: Int, _ allowed: String) -> Bool {
      offset < bytes.count && allowed.utf8.contains(bytes[offset])
    }
    guard let year = number(0..<4), mark(4, "-"), let month = number(5..<7), (1...12).contains(month),
      mark(7, "-"),
      let day = number(8..<10), (1...31).contains(day), mark(10, "Tt "), let hour = number(11..<13),
      hour < 24,
      mark(13, ":"), let minute = number(14..<16), minute < 60, mark(16, ":"), let second = number(17..<19),
      second <= 60
    else { return nil }
    var index = 19
    var fraction = 0.0
    if mark(index, ".,") {
      index += 1
      var scale = 0.1
      while let digit = number(index..<index + 1) {
        fraction += Double(digit) * scale
        scale /= 10
        index += 1
      }
    }
    var offset = 0
    if mark(index, "Zz") {
      index += 1
    } else {
      guard mark(index, "+-"), let hours = number(index + 1..<index + 3), hours < 24 else { return nil }
      let sign = bytes[index] == UInt8(ascii: "-") ? -1 : 1
      index += 3
      if mark(index, ":") { index += 1 }
      let minutes = number(index..<index + 2)
      if minutes != nil { index += 2 }
      offset = sign * (hours * 3600 + (minutes ?? 0) * 60)
    }
    guard index == bytes.count else { return nil }
    // Days since 1970-01-01 by the civil calendar, with March as the first month of a year.
    let marchYear = month > 2 ? year : year - 1
    let era = marchYear / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    unixSeconds = Double(days * 86_400 + hour * 3600 + minute * 60 + second - offset) + fraction
  }
}
