/// What DATA and I-DATA say about their payload, in one form.
struct InboundFragment {
  let tsn: UInt32
  let stream: UInt16
  let flags: UInt8
  /// The stream sequence number of DATA or the message identifier of I-DATA.
  let message: UInt32
  /// Orders fragments within a message: the TSN of DATA, the fragment number of I-DATA.
  let position: UInt32
  /// Meaningful in the first fragment (I-DATA), or in all (DATA).
  let payloadProtocol: UInt32

  var isBeginning: Bool { flags & DataFlags.beginning != 0 }
  var isEnd: Bool { flags & DataFlags.end != 0 }
  var isUnordered: Bool { flags & DataFlags.unordered != 0 }
}
