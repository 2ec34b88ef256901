// swift run -c release benchmarks <area> [arguments]
let arguments = Array(CommandLine.arguments.dropFirst())
let rest = Array(arguments.dropFirst())
switch arguments.first {
case "dtls": DTLSBenchmark.run(arguments: rest)
case "media": MediaBenchmark.run(arguments: rest)
case "rtp-receive": RTPReceiveBenchmark.run(arguments: rest)
case "rtp-send": RTPSendBenchmark.run(arguments: rest)
case "sctp": SCTPBenchmark.run(arguments: rest)
case "srtp": SRTPBenchmark.run(arguments: rest)
default: print("usage: benchmarks dtls|media|rtp-receive|rtp-send|sctp|srtp")
}
