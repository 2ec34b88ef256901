// swift-tools-version: 6.2
import PackageDescription

// Parsers read hostile bytes: every unsafe construct in them must be spelled out (docs/architecture.md).
let parserSettings: [SwiftSetting] = [.strictMemorySafety(), .enableExperimentalFeature("Lifetimes")]
let moduleSettings: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

let package = Package(
  name: "Reactor",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [],
  targets: [
    // Floor 0: system libraries and macro shims
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CSRTP", pkgConfig: "libsrtp2", providers: [.apt(["libsrtp2-dev"]), .brew(["srtp"])]),
    .systemLibrary(
      name: "CVPX", pkgConfig: "vpx", providers: [.apt(["libvpx-dev"]), .brew(["libvpx"])]),
    .systemLibrary(
      name: "COpus", pkgConfig: "opus", providers: [.apt(["libopus-dev"]), .brew(["opus"])]),
    .systemLibrary(name: "CYUV", providers: [.apt(["libyuv-dev"]), .brew(["libyuv"])]),
    .target(name: "CSockets"),
    .target(name: "CChecksum"),

    // Floor 1
    .target(name: "WireFormat", dependencies: ["CChecksum"], swiftSettings: parserSettings),

    // Floor 2
    .target(name: "Digest", dependencies: ["WireFormat", "COpenSSL"], swiftSettings: moduleSettings),

    // Floor 3
    .target(name: "RTP", dependencies: ["WireFormat"], swiftSettings: parserSettings),

    // Floor 4
    .target(name: "SCTP", dependencies: ["WireFormat", "Digest"], swiftSettings: parserSettings),

    // Tests
    .target(
      name: "TestSupport", dependencies: ["WireFormat"], path: "Tests/Support",
      swiftSettings: moduleSettings),
    .testTarget(
      name: "WireFormatTests", dependencies: ["WireFormat", "TestSupport"], swiftSettings: moduleSettings),
    .testTarget(
      name: "SCTPTests", dependencies: ["SCTP", "WireFormat", "TestSupport"], swiftSettings: moduleSettings),
    .testTarget(name: "DigestTests", dependencies: ["Digest", "TestSupport"], swiftSettings: moduleSettings),
  ],
  swiftLanguageModes: [.v6]
)
