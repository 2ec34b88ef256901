/// Draws pictures in a terminal: two pixels a character cell, upper half block in 24-bit colour.
package enum TerminalPreview {
  /// The lines that show `pixels` (BGRA, `width` × `height` × 4) in at most `columns` × `rows` cells, its
  /// shape kept. Each cell shows the average of the pixels that it covers.
  package static func lines(_ pixels: [UInt8], width: Int, height: Int, columns: Int, rows: Int) -> [String] {
    guard width > 0, height > 0, columns > 0, rows > 0, pixels.count >= width * height * 4 else { return [] }
    let scale = max(Double(width) / Double(columns), Double(height) / Double(rows * 2))
    let cellColumns = max(1, min(columns, Int(Double(width) / scale)))
    let cellRows = max(1, min(rows, Int(Double(height) / scale) / 2))
    return (0..<cellRows).map { row in
      var line = ""
      for column in 0..<cellColumns {
        let upper = average(pixels, width, height, column, row * 2, cellColumns, cellRows * 2)
        let lower = average(pixels, width, height, column, row * 2 + 1, cellColumns, cellRows * 2)
        line += "\u{1B}[38;2;\(upper.red);\(upper.green);\(upper.blue)m"
        line += "\u{1B}[48;2;\(lower.red);\(lower.green);\(lower.blue)m\u{2580}"
      }
      return line + "\u{1B}[0m"
    }
  }

  private static func average(
    _ pixels: [UInt8], _ width: Int, _ height: Int, _ x: Int, _ y: Int, _ columns: Int, _ rows: Int
  ) -> (red: Int, green: Int, blue: Int) {
    let left = x * width / columns
    let right = max(left + 1, (x + 1) * width / columns)
    let top = y * height / rows
    let bottom = max(top + 1, (y + 1) * height / rows)
    // A quarter of a large cell's pixels tells its colour as well as all of them.
    let stepX = max(1, (right - left) / 4)
    let stepY = max(1, (bottom - top) / 4)
    var sum = (red: 0, green: 0, blue: 0)
    var count = 0
    for row in stride(from: top, to: min(bottom, height), by: stepY) {
      for column in stride(from: left, to: min(right, width), by: stepX) {
        let offset = (row * width + column) * 4
        sum.blue += Int(pixels[offset])
        sum.green += Int(pixels[offset + 1])
        sum.red += Int(pixels[offset + 2])
        count += 1
      }
    }
    guard count > 0 else { return sum }
    return (sum.red / count, sum.green / count, sum.blue / count)
  }
}
