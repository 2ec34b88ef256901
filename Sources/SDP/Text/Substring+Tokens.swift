/// Cutting SDP text at ASCII bytes. Everything here works on UTF-8 and takes linear time.
extension Substring {
  /// The parts between blanks (space or tab); runs of blanks count as one.
  var tokens: [Substring] {
    utf8.split { $0 == 0x20 || $0 == 0x09 }.map { Substring($0) }
  }

  /// The parts between `separator`s, empty ones left out.
  func parts(separatedBy separator: UInt8) -> [Substring] {
    utf8.split(separator: separator).map { Substring($0) }
  }

  /// What stands before and after the first `separator`; nil when there is none.
  func halves(at separator: UInt8) -> (before: Substring, after: Substring)? {
    guard let index = utf8.firstIndex(of: separator) else { return nil }
    return (Substring(utf8[..<index]), Substring(utf8[utf8.index(after: index)...]))
  }

  /// Without blanks (space, tab) at either end.
  var trimmingBlanks: Substring {
    var view = utf8
    while let first = view.first, first == 0x20 || first == 0x09 { view = view.dropFirst() }
    while let last = view.last, last == 0x20 || last == 0x09 { view = view.dropLast() }
    return Substring(view)
  }

  /// Without blanks, carriage returns at the end.
  var trimmingLineEnd: Substring {
    var view = utf8
    while let last = view.last, last == 0x20 || last == 0x09 || last == 0x0D { view = view.dropLast() }
    return Substring(view)
  }
}

extension StringProtocol {
  /// Whether both are the same ASCII text when the case of letters is disregarded.
  func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return zip(utf8, other.utf8).allSatisfy { $0.asciiLowercase == $1.asciiLowercase }
  }

  /// ASCII letters in lower case, everything else unchanged.
  var asciiLowercased: String {
    String(decoding: utf8.map(\.asciiLowercase), as: UTF8.self)
  }
}

extension UInt8 {
  var asciiLowercase: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension FixedWidthInteger {
  /// From decimal digits alone: no sign, no blanks; nil when empty or too large.
  init?(decimal text: some StringProtocol) {
    guard !text.isEmpty else { return nil }
    var value: Self = 0
    for byte in text.utf8 {
      guard (0x30...0x39).contains(byte) else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Self(byte &- 0x30))
      guard !overflow, !carry else { return nil }
      value = sum
    }
    self = value
  }
}
