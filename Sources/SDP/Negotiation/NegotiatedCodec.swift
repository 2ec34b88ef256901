/// A codec that both sides named, with the payload types to send and to expect.
package struct NegotiatedCodec: Hashable, Sendable {
  package var name: String
  package var clockRate: UInt32
  package var channels: UInt8
  /// What to write on packets: the remote description's number (RFC 3264 section 5.1).
  package var sendPayloadType: UInt8
  /// What packets come with: the local description's number. The same one, unless the peer renumbered.
  package var receivePayloadType: UInt8
  /// nil unless both sides have `rtx` for this codec.
  package var sendRetransmissionPayloadType: UInt8?
  package var receiveRetransmissionPayloadType: UInt8?
  /// What the peer wants to be sent.
  package var remoteParameters: FormatParameters
  package var localParameters: FormatParameters
  /// What both sides declared.
  package var feedback: [RTCPFeedback]

  init(local: CodecDescription, remote: CodecDescription) {
    name = local.name
    clockRate = local.clockRate
    channels = local.channels
    sendPayloadType = remote.payloadType
    receivePayloadType = local.payloadType
    if let own = local.retransmissionPayloadType, let theirs = remote.retransmissionPayloadType {
      sendRetransmissionPayloadType = theirs
      receiveRetransmissionPayloadType = own
    }
    remoteParameters = remote.parameters
    localParameters = local.parameters
    feedback = local.feedback.filter { remote.feedback.contains($0) }
  }

  /// Whether this is the codec of that name, upper and lower case alike.
  package func isNamed(_ name: String) -> Bool { self.name.equalsIgnoringASCIICase(name) }

  var isPrimary: Bool { CodecDescription.isPrimary(name) }

  package func has(_ feedback: RTCPFeedback) -> Bool { self.feedback.contains(feedback) }
}
