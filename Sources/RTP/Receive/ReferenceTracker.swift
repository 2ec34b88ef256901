import WireFormat

/// Whether a whole frame can be decoded, given the frames that went to the decoder before it.
///
/// Four kinds of evidence, in this order: keyframes depend on nothing; a frame right behind the last one (by
/// sequence or picture number) has all it may need; listed references (VP9 flexible mode); temporal layers
/// (TL0PICIDX). A stream without any of them depends frame by frame.
struct ReferenceTracker {
  private var codec: VideoCodec?
  private var pictureID: PictureID?
  /// Which of the last pictures went to the decoder: bit n is the picture n before the last.
  private var delivered: UInt128 = 0
  private var baseLayerIndex: UInt8?
  /// False once a frame was skipped that a higher temporal layer may depend on.
  private var areHigherLayersWhole = false

  /// Whether a keyframe has begun the chain.
  var isStarted: Bool { codec != nil }

  mutating func reset() {
    self = ReferenceTracker()
  }

  /// - Parameter follows: no packet is missing between the last frame and this one.
  func canDecode(_ frame: AssembledFrame, follows: Bool) -> Bool {
    if frame.isKeyframe { return true }
    guard codec == frame.codec else { return false }
    let dependencies = frame.dependencies
    if follows, isWhole(for: dependencies) { return true }
    if let references = dependencies.references, let id = dependencies.pictureID {
      return areDelivered(references, before: id)
    }
    if let layer = dependencies.temporalLayer, let baseLayerIndex {
      if layer.id == 0 { return layer.baseLayerIndex == baseLayerIndex &+ 1 }
      if layer.baseLayerIndex != baseLayerIndex { return false }
      return layer.isSwitchingPoint || areHigherLayersWhole && isNext(dependencies.pictureID)
    }
    return isNext(dependencies.pictureID)
  }

  mutating func deliver(_ frame: AssembledFrame, follows: Bool) {
    let dependencies = frame.dependencies
    let steps = dependencies.pictureID.flatMap { id in pictureID.map { id.distance(from: $0) } }
    if frame.isKeyframe {
      codec = frame.codec
      delivered = 1
      areHigherLayersWhole = true
    } else {
      areHigherLayersWhole =
        (dependencies.temporalLayer?.id == 0) || areHigherLayersWhole && (follows || steps == 1)
      if let steps, steps > 0 {
        delivered = steps < 128 ? delivered &<< UInt128(steps) | 1 : 1
      }
    }
    pictureID = dependencies.pictureID
    if let layer = dependencies.temporalLayer {
      if layer.id == 0 { baseLayerIndex = layer.baseLayerIndex }
    } else {
      baseLayerIndex = nil
    }
  }

  /// Behind a skipped frame even the next one may lack something, unless it is of the base layer.
  private func isWhole(for dependencies: FrameDependencies) -> Bool {
    guard let layer = dependencies.temporalLayer, layer.id > 0 else { return true }
    return areHigherLayersWhole
  }

  private func isNext(_ id: PictureID?) -> Bool {
    guard let id, let pictureID else { return false }
    return id.distance(from: pictureID) == 1
  }

  private func areDelivered(_ references: VP9PayloadDescriptor.References, before id: PictureID) -> Bool {
    guard let pictureID else { return false }
    let steps = id.distance(from: pictureID)
    guard steps > 0 else { return false }
    for index in 0..<references.count {
      let back = Int(references[index]) - steps
      guard back >= 0, back < 128, delivered &>> UInt128(back) & 1 == 1 else { return false }
    }
    return true
  }
}
