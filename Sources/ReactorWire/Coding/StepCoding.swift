import ReactorTypes
import WireFormat

// Field numbers: wire protocol section 11.

extension StepRequest {
  // Bounds on what one step may carry, beyond the size of its message.
  private static let maxEntries = 65_536

  init(_ span: RawSpan, budget: inout StructCoding.Budget) throws(WireMessageError) {
    self.init()
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .bytes): state = try StructCoding.members(reader.bytes(), budget: &budget)
      case (2, .bytes):
        guard commands.count < StepRequest.maxEntries else {
          throw .tooManyValues(limit: StepRequest.maxEntries)
        }
        commands.append(try Command(reader.bytes(), budget: &budget))
      case (3, .bytes):
        guard mediaInput.count < StepRequest.maxEntries else {
          throw .tooManyValues(limit: StepRequest.maxEntries)
        }
        mediaInput.append(try TrackFrames(wire: reader.bytes()))
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    if let state { writer.message(1) { StructCoding.write(state, to: &$0) } }
    for command in commands { writer.message(2) { command.write(to: &$0) } }
    for track in mediaInput { writer.message(3) { track.write(to: &$0) } }
  }
}

extension TrackFrames {
  private static let maxFrames = 65_536

  init(wire span: RawSpan) throws(WireMessageError) {
    self.init()
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .bytes): track = try reader.string()
      case (2, .varint): kind = try reader.varint()
      case (3, .bytes):
        guard frames.count < TrackFrames.maxFrames else { throw .tooManyValues(limit: TrackFrames.maxFrames) }
        frames.append(try Frame(wire: reader.bytes()))
      case (4, .fixed64): rate = try reader.double()
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.stringUnlessEmpty(1, track)
    writer.varintUnlessZero(2, kind)
    for frame in frames { writer.message(3) { frame.write(to: &$0) } }
    writer.doubleUnlessZero(4, rate)
  }
}

extension TrackFrames.Frame {
  private static let maxDimensions = 16

  init(wire span: RawSpan) throws(WireMessageError) {
    self.init(encoding: 0)
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .varint): encoding = try reader.varint()
      case (2, .bytes): dtype = try reader.string()
      case (3, .bytes):
        var packed = ProtobufReader(try reader.bytes())
        while !packed.isAtEnd { try append(dimension: packed.varint()) }
      case (3, .varint): try append(dimension: reader.varint())
      case (4, .bytes): data = try reader.bytes().copyBytes()
      case (5, .bytes): metadata = try reader.bytes().copyBytes()
      case (6, .varint): captureTimeUs = Int64(bitPattern: try reader.varint())
      default: try reader.skip(tag)
      }
    }
  }

  private mutating func append(dimension: UInt64) throws(WireMessageError) {
    guard shape.count < TrackFrames.Frame.maxDimensions else {
      throw .tooManyValues(limit: TrackFrames.Frame.maxDimensions)
    }
    shape.append(UInt32(truncatingIfNeeded: dimension))
  }

  func write(to writer: inout ProtobufWriter) {
    writer.varintUnlessZero(1, encoding)
    writer.stringUnlessEmpty(2, dtype)
    if !shape.isEmpty { writer.packed(3, shape) }
    if !data.isEmpty { writer.bytes(4, data) }
    if let metadata { writer.bytes(5, metadata) }
    if let captureTimeUs { writer.varint(6, UInt64(bitPattern: captureTimeUs)) }
  }
}

extension StepOutcome {
  private static let maxEntries = 65_536

  init(wire span: RawSpan) throws(WireMessageError) {
    self.init()
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .varint): step = try reader.varint()
      case (2, .bytes):
        guard tracks.count < StepOutcome.maxEntries else {
          throw .tooManyValues(limit: StepOutcome.maxEntries)
        }
        tracks.append(try TrackFrames(wire: reader.bytes()))
      case (3, .fixed64): elapsedSeconds = try reader.double()
      case (4, .bytes):
        guard files.count < StepOutcome.maxEntries else {
          throw .tooManyValues(limit: StepOutcome.maxEntries)
        }
        files.append(try File(wire: reader.bytes()))
      case (5, .bytes): error = try reader.string()
      case (6, .varint): failureCode = try reader.varint()
      case (7, .bytes): code = try reader.string()
      case (8, .bytes): entry = try reader.string()
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.varintUnlessZero(1, step)
    for track in tracks { writer.message(2) { track.write(to: &$0) } }
    writer.doubleUnlessZero(3, elapsedSeconds)
    for file in files { writer.message(4) { file.write(to: &$0) } }
    if let error { writer.string(5, error) }
    writer.varintUnlessZero(6, failureCode)
    if let code { writer.string(7, code) }
    if let entry { writer.string(8, entry) }
  }
}

extension StepOutcome.File {
  init(wire span: RawSpan) throws(WireMessageError) {
    self.init()
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .bytes): name = try reader.string()
      case (2, .bytes): contentType = try reader.string()
      case (3, .varint): size = try reader.varint()
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.stringUnlessEmpty(1, name)
    writer.stringUnlessEmpty(2, contentType)
    writer.varintUnlessZero(3, size)
  }
}
