/// Those parts of H.264's parameters that must agree (RFC 6184 section 8.2.2): packetization mode and profile.
/// The level may differ.
struct H264Profile: Hashable, Sendable {
  enum Profile: Hashable, Sendable {
    case constrainedBaseline, baseline, main, constrainedHigh, high
    case other(UInt16)
  }

  var packetizationMode: String
  var profile: Profile?

  init(_ parameters: FormatParameters) {
    packetizationMode = parameters["packetization-mode"] ?? "0"
    guard let text = parameters["profile-level-id"], text.utf8.count == 6,
      text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let number = UInt32(text, radix: 16)
    else {
      // Absent (or no number): 420010, baseline. Peers that leave it out send constrained baseline.
      profile = parameters["profile-level-id"] == nil ? .constrainedBaseline : nil
      return
    }
    let idc = UInt8(truncatingIfNeeded: number >> 16)
    let constraints = UInt8(truncatingIfNeeded: number >> 8)
    profile = H264Profile.profile(idc: idc, constraints: constraints)
  }

  func isCompatible(with other: H264Profile) -> Bool {
    packetizationMode == other.packetizationMode && profile != nil && profile == other.profile
  }

  // RFC 6184 section 8.1, table 5: several spellings of one profile.
  private static func profile(idc: UInt8, constraints: UInt8) -> Profile {
    switch idc {
    case 0x42: constraints & 0x40 != 0 ? .constrainedBaseline : .baseline
    case 0x4D: constraints & 0x80 != 0 ? .constrainedBaseline : .main
    case 0x58 where constraints & 0xC0 == 0xC0: .constrainedBaseline
    case 0x58 where constraints & 0xC0 == 0x80: .baseline
    case 0x64: constraints == 0x0C ? .constrainedHigh : .high
    default: .other(UInt16(idc) << 8 | UInt16(constraints))
    }
  }
}
