import WireFormat

// Field numbers: wire protocol section 12.3.

extension ClientStats {
  // What a runtime accepts; more is left out on reading.
  private static let maxTracks = 32
  private static let maxMetrics = 64
  private static let maxStages = 32

  init(wire span: RawSpan) throws(WireMessageError) {
    self.init()
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .bytes):
        let track = try TrackStat(wire: reader.bytes())
        if tracks.count < ClientStats.maxTracks { tracks.append(track) }
      case (2, .bytes): connection = try ConnectionStat(wire: reader.bytes())
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    for track in tracks { writer.message(1) { track.write(to: &$0) } }
    if let connection { writer.message(2) { connection.write(to: &$0) } }
  }

  fileprivate static func readMetric(
    _ span: RawSpan, into metrics: inout [String: Double]
  ) throws(WireMessageError) {
    var (key, value) = ("", 0.0)
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .bytes): key = try reader.string()
      case (2, .fixed64): value = try reader.double()
      default: try reader.skip(tag)
      }
    }
    if metrics.count < maxMetrics || metrics[key] != nil { metrics[key] = value }
  }

  fileprivate static func writeMetrics(
    _ metrics: [String: Double], field: UInt32, to writer: inout ProtobufWriter
  ) {
    for (key, value) in metrics.sorted(by: { $0.key < $1.key }) {
      writer.message(field) { entry in
        entry.string(1, key)
        entry.doubleUnlessZero(2, value)
      }
    }
  }

  fileprivate static func append(_ stage: Stage, to stages: inout [Stage]) {
    if stages.count < maxStages { stages.append(stage) }
  }
}

extension ClientStats.Stage {
  init(wire span: RawSpan) throws(WireMessageError) {
    self.init(name: "", totalMS: 0, count: 0)
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .bytes): name = try reader.string()
      case (2, .fixed64): totalMS = try reader.double()
      case (3, .varint): count = try reader.varint()
      case (4, .bytes): partOf = try reader.string()
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.stringUnlessEmpty(1, name)
    writer.doubleUnlessZero(2, totalMS)
    writer.varintUnlessZero(3, count)
    writer.stringUnlessEmpty(4, partOf)
  }
}

extension ClientStats.TrackStat {
  init(wire span: RawSpan) throws(WireMessageError) {
    self.init(timestampMS: 0, trackName: "", isVideo: false, isReceived: false)
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .varint): timestampMS = Int64(bitPattern: try reader.varint())
      case (2, .bytes): trackName = try reader.string()
      case (3, .varint): isVideo = try reader.varint() == 1
      case (4, .varint): isReceived = try reader.varint() == 1
      case (5, .varint): codec = .video(try reader.varint())
      case (6, .varint): codec = .audio(try reader.varint())
      case (7, .varint): isPaused = try reader.varint() != 0
      case (8, .bytes): try ClientStats.readMetric(reader.bytes(), into: &metrics)
      case (9, .bytes): ClientStats.append(try ClientStats.Stage(wire: reader.bytes()), to: &frameStages)
      case (10, .bytes): codecImplementation = try reader.string()
      case (11, .varint): isHardwareCodec = try reader.varint() != 0
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.varintUnlessZero(1, UInt64(bitPattern: timestampMS))
    writer.stringUnlessEmpty(2, trackName)
    writer.varint(3, isVideo ? 1 : 2)
    writer.varint(4, isReceived ? 1 : 2)
    switch codec {
    case .video(let number): writer.varint(5, number)
    case .audio(let number): writer.varint(6, number)
    case nil: break
    }
    if isPaused { writer.bool(7, true) }
    ClientStats.writeMetrics(metrics, field: 8, to: &writer)
    for stage in frameStages { writer.message(9) { stage.write(to: &$0) } }
    writer.stringUnlessEmpty(10, codecImplementation)
    if let isHardwareCodec { writer.bool(11, isHardwareCodec) }
  }
}

extension ClientStats.ConnectionStat {
  init(wire span: RawSpan) throws(WireMessageError) {
    self.init(timestampMS: 0)
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .varint): timestampMS = Int64(bitPattern: try reader.varint())
      case (2, .bytes): try ClientStats.readMetric(reader.bytes(), into: &metrics)
      case (3, .bytes): environment = try ClientStats.Environment(wire: reader.bytes())
      case (4, .bytes): ClientStats.append(try ClientStats.Stage(wire: reader.bytes()), to: &messageStages)
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.varintUnlessZero(1, UInt64(bitPattern: timestampMS))
    ClientStats.writeMetrics(metrics, field: 2, to: &writer)
    if let environment { writer.message(3) { environment.write(to: &$0) } }
    for stage in messageStages { writer.message(4) { stage.write(to: &$0) } }
  }
}

extension ClientStats.Environment {
  init(wire span: RawSpan) throws(WireMessageError) {
    self.init()
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .bytes): sdkType = try reader.string()
      case (2, .bytes): sdkVersion = try reader.string()
      case (3, .bytes): os = try reader.string()
      case (4, .bytes): osVersion = try reader.string()
      case (5, .bytes): architecture = try reader.string()
      case (6, .bytes): deviceModel = try reader.string()
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.stringUnlessEmpty(1, sdkType)
    writer.stringUnlessEmpty(2, sdkVersion)
    writer.stringUnlessEmpty(3, os)
    writer.stringUnlessEmpty(4, osVersion)
    writer.stringUnlessEmpty(5, architecture)
    writer.stringUnlessEmpty(6, deviceModel)
  }
}
