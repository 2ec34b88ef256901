import ReactorTypes

/// Frames to messages and back, in either generation.
package enum WireCodec {
  /// The message that carries `frame`; nil: the generation has no such message, or it holds a number that JSON
  /// cannot say.
  package static func encode(_ frame: ClientFrame, as generation: WireGeneration) -> WireMessage? {
    guard let payload = frame.payload else { return nil }
    switch generation {
    case .v1:
      return WireMessage(
        channel: ProtobufWire.channel(of: payload), isText: false, bytes: ProtobufWire.encode(frame))
    case .v0:
      guard let channel = JSONWire.channel(of: payload), let bytes = try? JSONWire.encode(frame)?.jsonBytes()
      else { return nil }
      return WireMessage(channel: channel, isText: true, bytes: bytes)
    }
  }

  /// The message that carries `frame`; nil: the generation has no such message.
  ///
  /// - Parameter channel: where an error or an empty reply goes, namely where its request came from.
  package static func encode(
    _ frame: ServerFrame, as generation: WireGeneration, answering channel: ChannelLabel = .data
  ) -> WireMessage? {
    switch generation {
    case .v1:
      var target = channel
      if let payload = frame.payload, !payload.isError { target = ProtobufWire.channel(of: payload) }
      return WireMessage(channel: target, isText: false, bytes: ProtobufWire.encode(frame))
    case .v0:
      guard let payload = frame.payload, let target = JSONWire.channel(of: payload),
        // A command is never answered in this generation, not even by an error.
        !(payload.isError && channel == .data), let bytes = try? JSONWire.encode(frame)?.jsonBytes()
      else { return nil }
      return WireMessage(channel: target, isText: true, bytes: bytes)
    }
  }

  /// Reads what a runtime sent. Text, and a binary frame that is JSON, is understood in both generations: a
  /// runtime that has not heard its client yet speaks JSON (wire protocol section 0.3).
  package static func decodeServer(_ message: WireMessage) throws(WireMessageError) -> ServerFrame {
    if message.isText || looksLikeJSON(message.bytes) {
      return try JSONWire.decodeServer(try json(message.bytes), channel: message.channel)
    }
    return try ProtobufWire.decodeServer(message.bytes, channel: message.channel)
  }

  /// Reads what a client sent in the generation that its connection is latched to.
  package static func decodeClient(
    _ message: WireMessage, as generation: WireGeneration
  ) throws(WireMessageError) -> ClientFrame {
    switch generation {
    case .v0: try JSONWire.decodeClient(try json(message.bytes), channel: message.channel)
    case .v1: try ProtobufWire.decodeClient(message.bytes, channel: message.channel)
    }
  }

  /// Whether the first byte that is not a blank opens a JSON object or array.
  package static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
    for byte in bytes {
      switch byte {
      case 0x09...0x0D, 0x20: continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): return true
      default: return false
      }
    }
    return false
  }

  private static func json(_ bytes: [UInt8]) throws(WireMessageError) -> JSONValue {
    do {
      return try JSONValue(parsing: bytes)
    } catch .invalidUTF8 {
      throw .invalidUTF8
    } catch .tooDeep(let limit) {
      throw .tooDeep(limit: limit)
    } catch .tooManyValues(let limit) {
      throw .tooManyValues(limit: limit)
    } catch {
      throw .notAMessage
    }
  }
}

extension ServerFrame.Payload {
  fileprivate var isError: Bool {
    if case .error = self { true } else { false }
  }
}
