import COpus

/// libopus's words for a failure.
func opusFailure(_ operation: String, _ status: CInt) -> CodecError {
  .library(
    operation: operation,
    message: opus_strerror(status).map { String(cString: $0) } ?? "status \(status)")
}
