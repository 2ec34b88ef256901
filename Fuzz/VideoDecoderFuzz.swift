import Codecs
import RTP

/// The entry of both decoders. The first byte chooses the codec; the rest is a row of frames, each behind a
/// length of two bytes, so that state between frames is reached.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVideoDecoders(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: start, count: count)
  guard let choice = input.first,
    let decoder = try? VideoCodec.allCases[Int(choice & 1)].makeDecoder(cores: 1)
  else { return 0 }
  var position = 1
  while position + 2 <= count {
    let length = min(Int(input[position]) | Int(input[position + 1]) << 8, count - position - 2)
    let frame = UnsafeRawBufferPointer(rebasing: input[(position + 2)..<(position + 2 + length)])
    if let view = try? decoder.decode(frame) {
      precondition(PictureLimit.allows(width: view.width, height: view.height))
      // Every sample that the view promises can be read.
      var sum = 0
      for row in 0..<view.height { sum &+= Int(view.y[row * view.yStride + view.width - 1]) }
      for row in 0..<view.chromaHeight {
        sum &+= Int(view.u[row * view.uStride + view.chromaWidth - 1])
        sum &+= Int(view.v[row * view.vStride + view.chromaWidth - 1])
      }
      precondition(sum >= 0)
    }
    position += 2 + length
  }
  return 0
}
