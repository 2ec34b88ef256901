import Codecs

/// The first line of a YUV4MPEG2 file, as mjpegtools defines it and FFmpeg writes it.
///
/// Of the chroma formats only those of 8-bit 4:2:0 are taken. They differ in where a chroma sample lies (`420jpeg`:
/// between four pixels, `420mpeg2` and `420paldv`: beside one), by half a pixel at most, which is not corrected.
package struct Y4MHeader: Sendable, Hashable {
  /// Bytes of the line, without its end.
  package static let lengthLimit = 1024
  /// What the format's definition says of files that name no chroma.
  private static let defaultChroma = "420jpeg"
  private static let chromaFormats: Set = ["420", "420jpeg", "420mpeg2", "420paldv"]

  package let width: Int
  package let height: Int
  /// Pictures a second are `numerator / denominator`.
  package let rateNumerator: Int
  package let rateDenominator: Int
  /// Whether black is 0 and white 255, instead of 16 and 235.
  package let isFullRange: Bool
  /// `420jpeg` and its like.
  package let chroma: String

  /// What a file is to say. Throws for a size or a rate that no reader would take.
  package init(
    width: Int, height: Int, rateNumerator: Int = 30, rateDenominator: Int = 1, isFullRange: Bool = false,
    chroma: String = "420jpeg"
  ) throws(Y4MError) {
    guard PictureLimit.allows(width: width, height: height) else {
      throw .pictureTooLarge(width: width, height: height)
    }
    guard Y4MHeader.chromaFormats.contains(chroma) else { throw .unsupportedChroma(chroma) }
    // Between one an hour and a thousand a second; both numbers are below 2^31, so nothing here overflows.
    guard (1..<Int(Int32.max)).contains(rateNumerator), (1..<Int(Int32.max)).contains(rateDenominator),
      rateNumerator <= rateDenominator * 1000, rateDenominator <= rateNumerator * 3600
    else { throw .unsupportedRate("\(rateNumerator):\(rateDenominator)") }
    self.width = width
    self.height = height
    self.rateNumerator = rateNumerator
    self.rateDenominator = rateDenominator
    self.isFullRange = isFullRange
    self.chroma = chroma
  }

  /// Reads the line, without its end.
  package init(parsing line: [UInt8]) throws(Y4MError) {
    guard line.count <= Y4MHeader.lengthLimit else { throw .headerTooLong(limit: Y4MHeader.lengthLimit) }
    let fields = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard fields.first == "YUV4MPEG2" else { throw .notY4M }
    var width: Int?
    var height: Int?
    var rate = (25, 1)
    var isFullRange = false
    var chroma = Y4MHeader.defaultChroma
    for field in fields.dropFirst() {
      let value = field.dropFirst()
      switch field.first {
      case "W": width = try Y4MHeader.number(value, field)
      case "H": height = try Y4MHeader.number(value, field)
      case "F":
        let parts = value.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .malformed(field: Y4MHeader.shown(field)) }
        let fraction = (try Y4MHeader.number(parts[0], field), try Y4MHeader.number(parts[1], field))
        // 0:0 is how a file says that it does not know.
        if fraction != (0, 0) { rate = fraction }
      case "I": guard value == "p" || value == "?" else { throw .interlaced }
      case "C": chroma = Y4MHeader.shown(String(value))
      case "X": if value == "COLORRANGE=FULL" { isFullRange = true }
      // The shape of a pixel, and what later writers may add.
      default: break
      }
    }
    guard let width else { throw .missing(field: "width") }
    guard let height else { throw .missing(field: "height") }
    try self.init(
      width: width, height: height, rateNumerator: rate.0, rateDenominator: rate.1, isFullRange: isFullRange,
      chroma: chroma)
  }

  /// The line with its end.
  package var line: String {
    "YUV4MPEG2 W\(width) H\(height) F\(rateNumerator):\(rateDenominator) Ip A1:1 C\(chroma) "
      + "XCOLORRANGE=\(isFullRange ? "FULL" : "LIMITED")\n"
  }

  package var framesPerSecond: Double { Double(rateNumerator) / Double(rateDenominator) }
  package var chromaWidth: Int { (width + 1) / 2 }
  package var chromaHeight: Int { (height + 1) / 2 }
  /// Bytes of a picture.
  package var frameSize: Int { width * height + 2 * chromaWidth * chromaHeight }

  private static func number(_ text: Substring, _ field: String) throws(Y4MError) -> Int {
    guard !text.isEmpty, text.utf8.count <= 10, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let value = Int(text)
    else { throw .malformed(field: shown(field)) }
    return value
  }

  /// What of a field may stand in an error.
  private static func shown(_ field: String) -> String {
    String(
      field.prefix(32).filter {
        $0.isASCII && !$0.isWhitespace && ($0.isLetter || $0.isNumber || $0.isPunctuation)
      })
  }
}
