// swift-tools-version: 6.2
import PackageDescription

// Parsers read hostile bytes: every unsafe construct in them must be spelled out (docs/architecture.md).
let parserSettings: [SwiftSetting] = [.strictMemorySafety(), .enableExperimentalFeature("Lifetimes")]
let moduleSettings: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

let package = Package(
  name: "Reactor",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Reactor", targets: ["Reactor"]),
    .library(name: "ReactorLocalRuntime", targets: ["ReactorLocalRuntime"]),
    .executable(name: "reactor", targets: ["ReactorTool"]),
  ],
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
    .systemLibrary(
      name: "CSpeexDSP", pkgConfig: "speexdsp", providers: [.apt(["libspeexdsp-dev"]), .brew(["speexdsp"])]),
    .systemLibrary(
      name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(name: "CSockets"),
    .target(name: "CChecksum"),
    // Only the benchmarks link it: it counts the program's allocations.
    .target(name: "CAllocationCount"),

    // Floor 1
    .target(name: "WireFormat", dependencies: ["CChecksum"], swiftSettings: parserSettings),

    // Floor 2
    .target(name: "Digest", dependencies: ["WireFormat", "COpenSSL"], swiftSettings: moduleSettings),

    .target(name: "SDP", swiftSettings: parserSettings),

    // Floor 3
    .target(name: "RTP", dependencies: ["WireFormat"], swiftSettings: parserSettings),

    // Floor 4
    .target(name: "SCTP", dependencies: ["WireFormat", "Digest"], swiftSettings: parserSettings),
    .target(
      name: "Codecs", dependencies: ["WireFormat", "RTP", "CVPX", "COpus", "CYUV", "CSpeexDSP"],
      swiftSettings: moduleSettings),

    // Floor 4
    .target(
      name: "Media", dependencies: ["WireFormat", "RTP", "Codecs", "CSockets"], swiftSettings: moduleSettings),

    // Floor 5
    .target(
      name: "PeerConnection",
      dependencies: ["WireFormat", "CSockets", "SDP", "ICE", "DTLS", "SRTP", "SCTP", "RTP", "Media"],
      swiftSettings: moduleSettings),

    .target(name: "SRTP", dependencies: ["WireFormat", "CSRTP"], swiftSettings: parserSettings),
    .target(
      name: "DTLS", dependencies: ["WireFormat", "Digest", "SRTP", "COpenSSL"], swiftSettings: parserSettings),
    .target(name: "ReactorTypes", dependencies: ["WireFormat"], swiftSettings: moduleSettings),
    .target(
      name: "Signaling", dependencies: ["ReactorTypes", "WireFormat", "CCurl"], swiftSettings: moduleSettings),
    .target(
      name: "ReactorWire", dependencies: ["ReactorTypes", "WireFormat"], swiftSettings: moduleSettings),
    .target(
      name: "STUN", dependencies: ["WireFormat", "Digest"], swiftSettings: parserSettings),
    .target(name: "ICE", dependencies: ["STUN", "WireFormat"], swiftSettings: parserSettings),
    // Floor 6
    .target(
      name: "Reactor",
      dependencies: [
        "ReactorTypes", "Signaling", "ReactorWire", "PeerConnection", "Media", "ICE", "WireFormat",
      ],
      swiftSettings: moduleSettings),

    .executableTarget(
      name: "interop-runtime", dependencies: ["Reactor"], path: "Interop/Runtime",
      swiftSettings: moduleSettings),
    .executableTarget(
      name: "interop-serve", dependencies: ["ReactorLocalRuntime"], path: "Interop/Serve",
      swiftSettings: moduleSettings),
    .executableTarget(
      name: "interop-peer",
      dependencies: [
        "Digest", "Media", "PeerConnection", "RTP", "ReactorTypes", "SCTP", "SDP", "WireFormat",
      ], path: "Interop/Peer", swiftSettings: moduleSettings),
    // On top
    .target(
      name: "ReactorLocalRuntime",
      dependencies: [
        "ReactorTypes", "ReactorWire", "PeerConnection", "Media", "SDP", "WireFormat", "CMicroHTTPD",
      ],
      swiftSettings: moduleSettings),

    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "CAllocationCount", "CSRTP", "Codecs", "DTLS", "Media", "RTP", "SCTP", "SRTP", "WireFormat",
      ], path: "Benchmarks",
      swiftSettings: moduleSettings),
    .executableTarget(
      name: "interop-openssl", dependencies: ["DTLS", "SRTP", "WireFormat"], path: "Interop/OpenSSL",
      exclude: ["run"], swiftSettings: moduleSettings),
    .executableTarget(
      name: "interop-usrsctp", dependencies: ["SCTP", "WireFormat"], path: "Interop/usrsctp",
      exclude: ["run", "peer.c"], swiftSettings: moduleSettings),

    .target(name: "ReactorToolSupport", dependencies: ["CPNG"], swiftSettings: moduleSettings),
    .executableTarget(
      name: "ReactorTool", dependencies: ["Reactor", "ReactorLocalRuntime", "ReactorToolSupport"],
      swiftSettings: moduleSettings),
    .executableTarget(
      name: "examples", dependencies: ["Reactor"], path: "Examples/Scenarios", swiftSettings: moduleSettings),

    // Tests
    .target(
      name: "TestSupport", dependencies: ["WireFormat"], path: "Tests/Support",
      swiftSettings: moduleSettings),
    .testTarget(
      name: "WireFormatTests", dependencies: ["WireFormat", "TestSupport"], swiftSettings: moduleSettings),
    .testTarget(
      name: "SCTPTests", dependencies: ["SCTP", "WireFormat", "TestSupport"], swiftSettings: moduleSettings),
    .testTarget(
      name: "SDPTests", dependencies: ["SDP", "WireFormat", "TestSupport"], swiftSettings: moduleSettings),
    .testTarget(name: "RTPTests", dependencies: ["RTP", "TestSupport"], swiftSettings: moduleSettings),
    .testTarget(name: "DigestTests", dependencies: ["Digest", "TestSupport"], swiftSettings: moduleSettings),
    .testTarget(
      name: "CodecsTests", dependencies: ["Codecs", "RTP", "WireFormat", "TestSupport"],
      swiftSettings: moduleSettings),
    .testTarget(
      name: "MediaTests", dependencies: ["Media", "Codecs", "RTP", "WireFormat", "TestSupport"],
      swiftSettings: moduleSettings),
    .testTarget(
      name: "PeerConnectionTests",
      dependencies: ["PeerConnection", "DTLS", "ICE", "RTP", "SCTP", "SDP", "TestSupport"],
      swiftSettings: moduleSettings),
    .testTarget(
      name: "SRTPTests", dependencies: ["SRTP", "Digest", "WireFormat", "TestSupport"],
      swiftSettings: moduleSettings),
    .testTarget(
      name: "DTLSTests", dependencies: ["DTLS", "SRTP", "Digest", "WireFormat", "TestSupport"],
      swiftSettings: moduleSettings),
    .testTarget(
      name: "ReactorTypesTests", dependencies: ["ReactorTypes", "WireFormat", "TestSupport"],
      swiftSettings: moduleSettings),
    .testTarget(
      name: "SignalingTests", dependencies: ["Signaling", "ReactorTypes", "WireFormat", "TestSupport"],
      swiftSettings: moduleSettings),
    .testTarget(
      name: "ReactorWireTests", dependencies: ["ReactorWire", "ReactorTypes", "WireFormat", "TestSupport"],
      swiftSettings: moduleSettings),
    .testTarget(
      name: "STUNTests", dependencies: ["STUN", "WireFormat", "TestSupport"], swiftSettings: moduleSettings),
    .testTarget(
      name: "ICETests", dependencies: ["ICE", "STUN", "WireFormat", "TestSupport"],
      swiftSettings: moduleSettings),
    .testTarget(
      name: "ReactorTests", dependencies: ["Reactor", "ReactorLocalRuntime", "TestSupport"],
      swiftSettings: moduleSettings),
    .testTarget(
      name: "ReactorToolTests", dependencies: ["ReactorToolSupport"], swiftSettings: moduleSettings),
    .testTarget(
      name: "ExampleTests", dependencies: ["examples", "ReactorLocalRuntime"], swiftSettings: moduleSettings),
  ],
  swiftLanguageModes: [.v6]
)
