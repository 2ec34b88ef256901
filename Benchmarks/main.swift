// swift run -c release benchmarks <area> [arguments]
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "media": MediaBenchmark.run(arguments: Array(arguments.dropFirst()))
case "dtls": DTLSBenchmark.run(arguments: Array(arguments.dropFirst()))
case "rtp-receive": RTPReceiveBenchmark.run(arguments: Array(arguments.dropFirst()))
case "srtp": SRTPBenchmark.run(arguments: Array(arguments.dropFirst()))
case "rtp-send": RTPSendBenchmark.run(arguments: Array(arguments.dropFirst()))
case "sctp": SCTPBenchmark.run(arguments: Array(arguments.dropFirst()))
default: print("usage: benchmarks dtls|media|rtp-receive|rtp-send|sctp|srtp")
}
