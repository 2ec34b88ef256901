/// BGRA pixels of one colour.
func pixels(_ colour: [UInt8], width: Int, height: Int) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(width * height * 4)
  for _ in 0..<width * height { result += colour }
  return result
}

/// How far two pictures are apart, as the mean and the greatest difference of a sample.
func distance(_ left: [UInt8], _ right: [UInt8]) -> (mean: Double, greatest: Int) {
  guard left.count == right.count, !left.isEmpty else { return (.infinity, .max) }
  var sum = 0
  var greatest = 0
  for index in left.indices {
    let difference = abs(Int(left[index]) - Int(right[index]))
    sum += difference
    greatest = max(greatest, difference)
  }
  return (Double(sum) / Double(left.count), greatest)
}
