/// Numbers in words that fit a line.
package enum Figures {
  /// `1.2 Mb/s`, `640 kb/s`, `-` for nil.
  package static func bitrate(_ bitsPerSecond: Double?) -> String {
    guard let bitsPerSecond, bitsPerSecond.isFinite else { return "-" }
    if bitsPerSecond >= 1_000_000 { return "\(decimal(bitsPerSecond / 1_000_000)) Mb/s" }
    return "\(Int(bitsPerSecond / 1000)) kb/s"
  }

  /// `12.3 ms`, `-` for nil.
  package static func milliseconds(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "-" }
    return "\(decimal(value)) ms"
  }

  /// One digit after the point.
  package static func decimal(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}
