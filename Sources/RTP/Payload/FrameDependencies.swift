/// What a frame's first packet says of the frames that it depends on.
package struct FrameDependencies: Hashable, Sendable {
  package struct TemporalLayer: Hashable, Sendable {
    /// 0 is the base layer.
    package var id: UInt8
    /// Counts base layer frames (TL0PICIDX).
    package var baseLayerIndex: UInt8
    /// The frame depends on nothing but the base layer frame with that index.
    package var isSwitchingPoint: Bool
  }

  package var pictureID: PictureID?
  package var temporalLayer: TemporalLayer?
  /// Distances back to the pictures that it refers to; nil where the stream does not list them.
  package var references: VP9PayloadDescriptor.References?
  /// No later frame depends on it.
  package var isNonReference = false

  package init() {}
}
