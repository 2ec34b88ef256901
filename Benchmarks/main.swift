// swift run -c release benchmarks <area> … [--json]

/// A part of the package whose figures belong together.
struct Area {
  let name: String
  let summary: String
  let run: (inout Report) async throws -> Void
}

let areas = [
  Area(name: "connect", summary: "set-up time, creation to open data channel", run: ConnectBenchmark.run),
  Area(name: "push", summary: "frames pushed, through encoder and network to a peer", run: PushBenchmark.run),
  Area(name: "receive", summary: "frames received: cost by thread, latency", run: ReceiveBenchmark.run),
  Area(name: "data", summary: "data-channel throughput of whole connections", run: DataBenchmark.run),
  Area(name: "transport", summary: "the driver's sockets, beside C loops", run: TransportBenchmark.run),
  Area(name: "codecs", summary: "encoding and decoding, beside libvpx alone", run: CodecsBenchmark.run),
  Area(name: "srtp", summary: "protect and unprotect, beside libsrtp alone", run: SRTPBenchmark.run),
  Area(name: "dtls", summary: "certificates, handshakes and records in memory", run: DTLSBenchmark.run),
  Area(
    name: "sctp", summary: "the association in memory, beside usrsctp; lossy paths", run: SCTPBenchmark.run),
  Area(name: "rtp", summary: "packets parsed, written, received, sent in memory", run: RTPBenchmark.run),
]

let arguments = CommandLine.arguments.dropFirst()
let names = arguments.filter { $0 != "--json" }
let chosen = names.compactMap { name in areas.first { $0.name == name } }
if names.isEmpty || chosen.count < names.count {
  print("usage: benchmarks <area> … [--json]")
  for area in areas { print("  \(area.name)\t\(area.summary)") }
} else {
  var report = Report(isJSON: arguments.contains("--json"))
  for area in chosen { try await area.run(&report) }
  report.finish()
}
