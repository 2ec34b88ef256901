/// What both decoders do around libvpx: wait for a keyframe after damage, renew a context that a broken frame has
/// spoilt, and choose its threads by the picture's size.
struct VPXDecoder {
  private let name: String
  private let codec: OpaquePointer?
  private let cores: Int
  private var context: VPXDecoderContext
  private var threads = 1
  private var needsKeyframe = true
  /// A frame failed inside the library. It loses a frame buffer to some broken frames, and after enough of
  /// them decodes nothing any more: the next keyframe gets a new context.
  private var isSpoiled = false

  init(name: String, codec: OpaquePointer?, cores: Int) throws(CodecError) {
    self.name = name
    self.codec = codec
    self.cores = cores
    context = try VPXDecoderContext(name: name, codec: codec, threads: 1)
  }

  /// A keyframe of this size is about to come.
  ///
  /// One thread to 1920 × 1080 (3.1 ms a picture of VP8, 3.4 of VP9): a second one gains a quarter at best, and
  /// where cores are scarce the two cost more than they save (VP8's spin while they wait). Two above, from four
  /// cores on.
  mutating func prepare(width: Int, height: Int) throws(CodecError) {
    guard PictureLimit.allows(width: width, height: height) else {
      throw .pictureTooLarge(width: width, height: height)
    }
    let wanted = width * height > 1920 * 1080 && cores >= 4 ? 2 : 1
    if wanted != threads { try open(threads: wanted) }
  }

  /// A frame was refused before the library saw it: those that follow may refer to it.
  mutating func waitForKeyframe() { needsKeyframe = true }

  mutating func decode(_ data: UnsafeRawBufferPointer, isKeyframe: Bool) throws(CodecError) -> I420View? {
    guard isKeyframe || !needsKeyframe else { throw .needsKeyframe }
    needsKeyframe = true
    if isSpoiled { try open(threads: threads) }
    isSpoiled = true
    let picture = try context.decode(data)
    isSpoiled = false
    needsKeyframe = false
    return picture
  }

  private mutating func open(threads: Int) throws(CodecError) {
    context = try VPXDecoderContext(name: name, codec: codec, threads: threads)
    self.threads = threads
    isSpoiled = false
  }
}
