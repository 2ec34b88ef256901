import ReactorTypes
import WireFormat

// Field numbers: wire protocol section 5.4.

extension Command {
  init(_ span: RawSpan, budget: inout StructCoding.Budget) throws(WireMessageError) {
    self.init("")
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .bytes): type = try reader.string()
      case (2, .bytes): data = try StructCoding.members(reader.bytes(), budget: &budget)
      case (3, .bytes):
        var entry = ProtobufReader(try reader.bytes())
        var key = ""
        var file: FileRef?
        while let tag = try entry.next() {
          switch (tag.field, tag.type) {
          case (1, .bytes): key = try entry.string()
          case (2, .bytes): file = try FileRef(wire: entry.bytes())
          default: try entry.skip(tag)
          }
        }
        uploads[key] = file ?? FileRef(uploadID: "", name: "", mimeType: "", size: 0)
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.stringUnlessEmpty(1, type)
    // Present even when empty: that is what "no arguments" looks like.
    writer.message(2) { StructCoding.write(data, to: &$0) }
    for (key, file) in uploads.sorted(by: { $0.key < $1.key }) {
      writer.message(3) { entry in
        entry.string(1, key)
        entry.message(2) { file.write(to: &$0) }
      }
    }
  }
}

extension FileRef {
  init(wire span: RawSpan) throws(WireMessageError) {
    var (uploadID, name, mimeType, size) = ("", "", "", 0)
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .bytes): uploadID = try reader.string()
      case (2, .bytes): name = try reader.string()
      case (3, .bytes): mimeType = try reader.string()
      case (4, .varint): size = Int(truncatingIfNeeded: try reader.varint())
      default: try reader.skip(tag)
      }
    }
    self.init(uploadID: uploadID, name: name, mimeType: mimeType, size: size)
  }

  func write(to writer: inout ProtobufWriter) {
    writer.stringUnlessEmpty(1, uploadID)
    writer.stringUnlessEmpty(2, name)
    writer.stringUnlessEmpty(3, mimeType)
    writer.varintUnlessZero(4, UInt64(bitPattern: Int64(size)))
  }
}

extension ModelMessage {
  init(_ span: RawSpan, budget: inout StructCoding.Budget) throws(WireMessageError) {
    self.init("")
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .bytes): type = try reader.string()
      case (2, .bytes): data = .object(try StructCoding.members(reader.bytes(), budget: &budget))
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.stringUnlessEmpty(1, type)
    if let members = data?.objectValue { writer.message(2) { StructCoding.write(members, to: &$0) } }
  }
}

extension RemoteError {
  init(wire span: RawSpan) throws(WireMessageError) {
    self.init(code: "", message: "")
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .bytes): code = try reader.string()
      case (2, .bytes): message = try reader.string()
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.stringUnlessEmpty(1, code)
    writer.stringUnlessEmpty(2, message)
  }
}

extension ClipReady {
  init(wire span: RawSpan) throws(WireMessageError) {
    self.init()
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .bytes): sessionID = try reader.string()
      case (2, .bytes): kind = try reader.string()
      case (3, .fixed64): startMarker = try reader.double()
      case (4, .fixed64): endMarker = try reader.double()
      case (5, .fixed64): nowMarker = try reader.double()
      case (6, .varint): predictedReadyAtMS = Int64(bitPattern: try reader.varint())
      case (7, .bytes): playlistURL = try reader.string()
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.stringUnlessEmpty(1, sessionID)
    writer.stringUnlessEmpty(2, kind)
    writer.doubleUnlessZero(3, startMarker)
    writer.doubleUnlessZero(4, endMarker)
    writer.doubleUnlessZero(5, nowMarker)
    writer.varintUnlessZero(6, UInt64(bitPattern: predictedReadyAtMS))
    writer.stringUnlessEmpty(7, playlistURL)
  }
}

extension Moderation {
  // More categories than any moderation names; the rest is left out.
  private static let maxCategories = 256

  init(wire span: RawSpan) throws(WireMessageError) {
    self.init()
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .bytes): action = try reader.string()
      case (2, .bytes): inputKind = try reader.string()
      case (3, .bytes): command = try reader.string()
      case (4, .bytes):
        let category = try reader.string()
        if categories.count < Moderation.maxCategories { categories.append(category) }
      case (5, .bytes): message = try reader.string()
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.stringUnlessEmpty(1, action)
    writer.stringUnlessEmpty(2, inputKind)
    writer.stringUnlessEmpty(3, command)
    for category in categories { writer.string(4, category) }
    writer.stringUnlessEmpty(5, message)
  }
}
