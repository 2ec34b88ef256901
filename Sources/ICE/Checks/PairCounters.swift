import WireFormat

/// What a pair has carried.
struct PairCounters {
  var requestsSent = 0
  var responsesReceived = 0
  var requestsReceived = 0
  var responsesSent = 0
  var consentRequestsSent = 0
  var packetsSent = 0
  var bytesSent = 0
  var packetsReceived = 0
  var bytesReceived = 0
  var lastPacketReceived: Instant?
  var lastPacketSent: Instant?
}
