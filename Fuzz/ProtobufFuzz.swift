// Build: swiftc -sanitize=fuzzer -parse-as-library, with the module ReactorWire and those below it.
import ReactorWire

/// Anything read as a message of either side must not trap, and what reads must write and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProtobuf(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  for channel in ChannelLabel.allCases {
    if let frame = try? ProtobufWire.decodeClient(bytes, channel: channel) {
      precondition((try? ProtobufWire.decodeClient(ProtobufWire.encode(frame), channel: channel)) != nil)
    }
    if let frame = try? ProtobufWire.decodeServer(bytes, channel: channel) {
      precondition((try? ProtobufWire.decodeServer(ProtobufWire.encode(frame), channel: channel)) != nil)
    }
    _ = try? WireCodec.decodeServer(WireMessage(channel: channel, isText: true, bytes: bytes))
    _ = try? WireCodec.decodeClient(WireMessage(channel: channel, isText: true, bytes: bytes), as: .v0)
  }
  return 0
}
