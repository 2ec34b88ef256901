import RTP
import TestSupport
import Testing

@Suite struct FrameMetadataTrailerTests {
  @Test func `the trailer is byte for byte the platform's`() {
    var frame: [UInt8] = [0xAA]
    FrameMetadataTrailer.append(
      FrameMetadata(frameID: 1, captureTimeUs: 300, userData: Array("tag1".utf8)), to: &frame)
    #expect(hex(frame) == "aa" + "0801" + "10ac02" + "1a0474616731" + "0b000000" + "52584d54")
    #expect(
      FrameMetadataTrailer.strip(from: &frame)
        == FrameMetadata(frameID: 1, captureTimeUs: 300, userData: Array("tag1".utf8)))
    #expect(frame == [0xAA])
  }

  @Test(arguments: [
    FrameMetadata(), FrameMetadata(frameID: .max), FrameMetadata(captureTimeUs: 1),
    FrameMetadata(frameID: 3, userData: []), FrameMetadata(userData: [UInt8](repeating: 7, count: 70_000)),
  ])
  func `what is appended is stripped`(metadata: FrameMetadata) {
    var frame: [UInt8] = [1, 2, 3]
    FrameMetadataTrailer.append(metadata, to: &frame)
    #expect(FrameMetadataTrailer.strip(from: &frame) == metadata)
    #expect(frame == [1, 2, 3])
  }

  @Test(arguments: [
    "", "aa", "52584d54", "0000000052584d55", "aa0200000052584d54", "aaffffffff52584d54",
    "aa08800200000052584d54", "aa1a05010300000052584d54", "aa0001020000005258 4d54", "aa0b0000015258 4d54",
    "aa0f010200000052584d54",
  ])
  func `a damaged or absent trailer leaves the frame as it is`(text: String) {
    var frame = hex(text)
    let before = frame
    #expect(FrameMetadataTrailer.strip(from: &frame) == nil)
    #expect(frame == before)
  }

  @Test func `unknown fields are passed over`() {
    var frame = hex("bb 2005 2a0101 3102020202020202023503030303 0809 15000000 52584d54")
    let size = frame.count - 1 - 8
    frame[frame.count - 8] = UInt8(size)
    #expect(FrameMetadataTrailer.strip(from: &frame) == FrameMetadata(frameID: 9))
    #expect(frame == [0xBB])
  }
}
