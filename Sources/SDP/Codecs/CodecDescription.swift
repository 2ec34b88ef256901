/// All that a section says about one payload type: its `rtpmap`, `fmtp` and `rtcp-fb` lines together.
package struct CodecDescription: Hashable, Sendable {
  package var payloadType: UInt8
  /// As written; compare with ``isNamed(_:)``, for peers change the case of letters.
  package var name: String
  package var clockRate: UInt32
  /// 1 when not written.
  package var channels: UInt8
  package var parameters: FormatParameters
  package var feedback: [RTCPFeedback]
  /// The payload type of the section's `rtx` whose `apt` is this one (RFC 4588).
  package var retransmissionPayloadType: UInt8?

  package init(
    payloadType: UInt8, name: String, clockRate: UInt32, channels: UInt8 = 1,
    parameters: FormatParameters = FormatParameters(), feedback: [RTCPFeedback] = [],
    retransmissionPayloadType: UInt8? = nil
  ) {
    self.payloadType = payloadType
    self.name = name
    self.clockRate = clockRate
    self.channels = channels
    self.parameters = parameters
    self.feedback = feedback
    self.retransmissionPayloadType = retransmissionPayloadType
  }

  package func isNamed(_ name: String) -> Bool { self.name.equalsIgnoringASCIICase(name) }

  /// For `rtx`: the payload type whose packets it repeats.
  package var associatedPayloadType: UInt8? {
    guard isRetransmission, let number = parameters.number("apt") else { return nil }
    return UInt8(exactly: number)
  }

  package var isRetransmission: Bool { isNamed("rtx") }
  package var isRED: Bool { isNamed("red") }

  /// Whether this is a codec proper, not a repair, redundancy or signalling format that only comes with one.
  package var isPrimary: Bool { CodecDescription.isPrimary(name) }

  static func isPrimary(_ name: String) -> Bool {
    !["rtx", "red", "ulpfec", "flexfec-03", "flexfec", "cn", "telephone-event"].contains(name.asciiLowercased)
  }

  /// Whether a peer that says `other` means the same format: name, clock, channels, and those parameters
  /// that make a different codec of it. Other parameters are wishes and don't separate formats.
  package func isSameFormat(as other: CodecDescription) -> Bool {
    guard isNamed(other.name), clockRate == other.clockRate, channels == other.channels else { return false }
    switch name.asciiLowercased {
    case "vp9": return (parameters["profile-id"] ?? "0") == (other.parameters["profile-id"] ?? "0")
    case "av1": return (parameters["profile"] ?? "0") == (other.parameters["profile"] ?? "0")
    case "h264": return H264Profile(parameters).isCompatible(with: H264Profile(other.parameters))
    case "rtx": return associatedPayloadType == other.associatedPayloadType
    default: return true
    }
  }
}
