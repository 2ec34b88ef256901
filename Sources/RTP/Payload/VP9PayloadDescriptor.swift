import WireFormat

/// The bytes in front of each packet's share of a VP9 frame (RFC 9628 section 4.2).
package struct VP9PayloadDescriptor: Hashable, Sendable {
  package var pictureID: PictureID?
  /// The frame depends on earlier pictures (P).
  package var isInterPredicted = false
  /// Reference indices are given, in place of a scheme known beforehand (F).
  package var isFlexible = false
  package var beginsFrame = false
  package var endsFrame = false
  /// No higher spatial layer of a later picture depends on it (Z).
  package var isNotSpatialReference = false
  /// nil without layer indices (L).
  package var layer: Layer?
  /// How many pictures back its references lie (7 bits each); at most three, in flexible mode only.
  package var references = References()
  package var scalability: ScalabilityStructure?

  package struct Layer: Hashable, Sendable {
    /// 3 bits.
    package var temporalID: UInt8
    /// From here on the temporal layer may be switched up to (U).
    package var isSwitchingPoint: Bool
    /// 3 bits.
    package var spatialID: UInt8
    /// It depends on the spatial layer below in the same picture (D).
    package var isInterLayerPredicted: Bool
    /// Counts temporal base layer pictures; in non-flexible mode only.
    package var baseLayerIndex: UInt8?

    package init(
      temporalID: UInt8, isSwitchingPoint: Bool = false, spatialID: UInt8 = 0,
      isInterLayerPredicted: Bool = false, baseLayerIndex: UInt8? = nil
    ) {
      self.temporalID = temporalID
      self.isSwitchingPoint = isSwitchingPoint
      self.spatialID = spatialID
      self.isInterLayerPredicted = isInterLayerPredicted
      self.baseLayerIndex = baseLayerIndex
    }
  }

  /// Up to three distances, without an array's allocation.
  package struct References: Hashable, Sendable {
    package private(set) var count = 0
    private var distances: (UInt8, UInt8, UInt8) = (0, 0, 0)

    package init(_ list: UInt8...) {
      for distance in list { append(distance) }
    }

    /// Adds a distance; false when there are three.
    @discardableResult
    package mutating func append(_ distance: UInt8) -> Bool {
      switch count {
      case 0: distances.0 = distance
      case 1: distances.1 = distance
      case 2: distances.2 = distance
      default: return false
      }
      count += 1
      return true
    }

    package subscript(index: Int) -> UInt8 {
      switch index {
      case 0: distances.0
      case 1: distances.1
      default: distances.2
      }
    }

    package static func == (left: References, right: References) -> Bool {
      left.count == right.count && left.distances == right.distances
    }

    package func hash(into hasher: inout Hasher) {
      for index in 0..<count { hasher.combine(self[index]) }
    }
  }

  /// What is kept of a scalability structure (V); picture groups are read over.
  package struct ScalabilityStructure: Hashable, Sendable {
    package var spatialLayerCount: Int
    /// Pixels of the highest layer; nil when the structure names no sizes.
    package var size: Size?

    package struct Size: Hashable, Sendable {
      package var width: UInt16
      package var height: UInt16

      package init(width: UInt16, height: UInt16) {
        self.width = width
        self.height = height
      }
    }

    package init(spatialLayerCount: Int = 1, size: Size?) {
      self.spatialLayerCount = spatialLayerCount
      self.size = size
    }
  }

  package init() {}

  /// Reads the descriptor and leaves `payload` at the VP9 bitstream, which is not empty.
  package init(reading payload: inout ByteReader) throws(RTPError) {
    do {
      let flags = try payload.uint8()
      isInterPredicted = flags & 0x40 != 0
      isFlexible = flags & 0x10 != 0
      beginsFrame = flags & 0x08 != 0
      endsFrame = flags & 0x04 != 0
      isNotSpatialReference = flags & 0x01 != 0
      if flags & 0x80 != 0 { pictureID = try PictureID(reading: &payload) }
      if flags & 0x20 != 0 { layer = try Layer(reading: &payload, isFlexible: isFlexible) }
      if isFlexible {
        guard pictureID != nil else { throw RTPError.malformed }
        if isInterPredicted { try readReferences(&payload) }
      }
      if flags & 0x02 != 0 { scalability = try ScalabilityStructure(reading: &payload) }
    } catch let error as RTPError {
      throw error
    } catch {
      throw .truncated
    }
    if payload.isAtEnd { throw .emptyPayload }
  }

  private mutating func readReferences(_ payload: inout ByteReader) throws {
    while true {
      let octet = try payload.uint8()
      guard references.append(octet &>> 1) else { throw RTPError.malformed }
      if octet & 1 == 0 { return }
    }
  }

  package var encodedSize: Int {
    var size = 1 + (pictureID?.encodedSize ?? 0)
    if layer != nil { size += isFlexible ? 1 : 2 }
    if isFlexible, isInterPredicted { size += references.count }
    if let scalability { size += 1 + (scalability.size == nil ? 0 : 4) }
    return size
  }

  /// Writes it; of a scalability structure only one spatial layer without picture groups can be written.
  package func write(into packet: PacketBuffer) throws(WireError) {
    var flags: UInt8 = pictureID == nil ? 0 : 0x80
    if isInterPredicted { flags |= 0x40 }
    if layer != nil { flags |= 0x20 }
    if isFlexible { flags |= 0x10 }
    if beginsFrame { flags |= 0x08 }
    if endsFrame { flags |= 0x04 }
    if scalability != nil { flags |= 0x02 }
    if isNotSpatialReference { flags |= 0x01 }
    try packet.append(flags)
    try pictureID?.write(into: packet)
    if let layer { try layer.write(into: packet, isFlexible: isFlexible) }
    if isFlexible, isInterPredicted {
      for index in 0..<references.count {
        try packet.append(references[index] &<< 1 | (index + 1 < references.count ? 1 : 0))
      }
    }
    if let scalability {
      try packet.append(scalability.size == nil ? 0 : 0x10 as UInt8)
      if let size = scalability.size {
        try packet.append(size.width)
        try packet.append(size.height)
      }
    }
  }
}

extension VP9PayloadDescriptor.Layer {
  fileprivate init(reading payload: inout ByteReader, isFlexible: Bool) throws(WireError) {
    let octet = try payload.uint8()
    temporalID = octet &>> 5
    isSwitchingPoint = octet & 0x10 != 0
    spatialID = octet &>> 1 & 7
    isInterLayerPredicted = octet & 1 != 0
    baseLayerIndex = isFlexible ? nil : try payload.uint8()
  }

  fileprivate func write(into packet: PacketBuffer, isFlexible: Bool) throws(WireError) {
    try packet.append(
      temporalID &<< 5 | (isSwitchingPoint ? 0x10 : 0) | (spatialID & 7) &<< 1
        | (isInterLayerPredicted ? 1 : 0))
    if !isFlexible { try packet.append(baseLayerIndex ?? 0) }
  }
}

extension VP9PayloadDescriptor.ScalabilityStructure {
  fileprivate init(reading payload: inout ByteReader) throws(WireError) {
    let flags = try payload.uint8()
    spatialLayerCount = Int(flags &>> 5) + 1
    if flags & 0x10 != 0 {
      for _ in 0..<spatialLayerCount {
        size = Size(width: try payload.uint16(), height: try payload.uint16())
      }
    }
    guard flags & 0x08 != 0 else { return }
    for _ in 0..<(try payload.uint8()) {
      let referenceCount = try payload.uint8() &>> 2 & 3
      try payload.skip(Int(referenceCount))
    }
  }
}
