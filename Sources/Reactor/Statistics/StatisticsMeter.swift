import ICE
import Media
import PeerConnection
import Synchronization
import WireFormat

/// Makes public figures of a connection's counters; remembers the last call, for the measured bitrates.
final class StatisticsMeter: Sendable {
  /// Two calls closer than this give no bitrate: it would be noise.
  private static let shortestInterval = Interval.milliseconds(200)

  private struct Reading {
    let at: Instant
    let pair: ICEPairID
    let bytesSent: Int
    let bytesReceived: Int
  }

  private let last = Mutex<Reading?>(nil)

  /// Another connection: nothing to compare with.
  func reset() {
    last.withLock { $0 = nil }
  }

  func stats(_ snapshot: LiveStatistics, unixMilliseconds: Double) -> ConnectionStats {
    let connection = snapshot.connection
    let carrier = connection.pairs.first { $0.isSelected && $0.isNominated && $0.state == .succeeded }
    let inbound = connection.media.inbound.map {
      StatisticsMeter.inbound($0, snapshot.videoReceivers[$0.mid])
    }
    let outbound = connection.media.outbound.map {
      StatisticsMeter.outbound($0, snapshot.videoSenders[$0.mid])
    }
    let video = inbound.first { $0.kind == "video" }
    let sendRoundTrip = outbound.map(\.roundTripTimeSeconds).max().flatMap { $0 > 0 ? $0 * 1000 : nil }
    let rates = bitrates(carrier, at: MonotonicClock.now())
    let estimate = connection.media.targetBitrate.map(Double.init)
    return ConnectionStats(
      rttMS: carrier?.roundTripTime?.inMilliseconds ?? sendRoundTrip,
      jitterSeconds: video?.jitterSeconds ?? inbound.map(\.jitterSeconds).max(),
      packetLossRatio: video.map(StatisticsMeter.lossRatio) ?? inbound.map(StatisticsMeter.lossRatio).max(),
      incomingBitrateBPS: rates?.incoming, outgoingBitrateBPS: rates?.outgoing,
      availableOutgoingBitrateBPS: estimate,
      targetBitrateBPS: outbound.isEmpty ? nil : outbound.reduce(0) { $0 + $1.targetBitrateBPS },
      framesPerSecond: video?.framesPerSecond, candidateType: carrier?.local.kind.rawValue,
      relayProtocol: carrier.flatMap(StatisticsMeter.relayProtocol),
      candidatePairState: carrier.map { StatisticsMeter.name($0.state) }, timestampMS: unixMilliseconds,
      inbound: inbound, outbound: outbound,
      candidatePairs: connection.pairs.map { StatisticsMeter.pair($0, estimate: estimate) })
  }

  private func bitrates(
    _ carrier: ICEPairStatistics?, at now: Instant
  ) -> (incoming: Double, outgoing: Double)? {
    last.withLock { last in
      guard let carrier else {
        last = nil
        return nil
      }
      if let previous = last, now - previous.at < StatisticsMeter.shortestInterval { return nil }
      defer {
        last = Reading(
          at: now, pair: carrier.id, bytesSent: carrier.bytesSent, bytesReceived: carrier.bytesReceived)
      }
      guard let previous = last, previous.pair == carrier.id else { return nil }
      let seconds = (now - previous.at).inSeconds
      return (
        Double(carrier.bytesReceived - previous.bytesReceived) * 8 / seconds,
        Double(carrier.bytesSent - previous.bytesSent) * 8 / seconds
      )
    }
  }

  private static func lossRatio(_ stream: ConnectionStats.InboundStream) -> Double {
    let expected = stream.packetsReceived + max(0, stream.packetsLost)
    return expected > 0 ? Double(max(0, stream.packetsLost)) / Double(expected) : 0
  }

  private static func inbound(
    _ stream: InboundStreamStatistics, _ decoder: VideoReceiveStatistics?
  ) -> ConnectionStats.InboundStream {
    ConnectionStats.InboundStream(
      ssrc: stream.ssrc, kind: stream.isVideo ? "video" : "audio", packetsReceived: stream.packetsReceived,
      packetsLost: stream.packetsLost, bytesReceived: stream.bytesReceived,
      jitterSeconds: stream.jitter.inSeconds, nackCount: stream.nackCount,
      totalDecodeTimeSeconds: decoder?.decodeTime.inSeconds ?? 0,
      framesPerSecond: decoder?.framesPerSecond ?? 0, framesDecoded: decoder?.framesDecoded ?? 0,
      framesDropped: stream.framesDropped + (decoder?.framesDropped ?? 0), frameWidth: decoder?.width ?? 0,
      frameHeight: decoder?.height ?? 0)
  }

  private static func outbound(
    _ stream: OutboundStreamStatistics, _ encoder: VideoSendStatistics?
  ) -> ConnectionStats.OutboundStream {
    let counters = stream.counters
    return ConnectionStats.OutboundStream(
      ssrc: stream.ssrc, kind: stream.isVideo ? "video" : "audio", packetsSent: counters.packetsSent,
      retransmittedPacketsSent: counters.retransmittedPacketsSent, bytesSent: counters.bytesSent,
      targetBitrateBPS: Double(counters.targetBitrate ?? 0), framesPerSecond: encoder?.framesPerSecond ?? 0,
      framesSent: counters.framesSent, frameWidth: counters.frameWidth, frameHeight: counters.frameHeight,
      roundTripTimeSeconds: counters.roundTripTime?.inSeconds ?? 0,
      totalRoundTripTimeSeconds: counters.totalRoundTripTime.inSeconds,
      fractionLost: counters.fractionLost ?? 0, packetsLost: counters.packetsLost)
  }

  private static func pair(_ pair: ICEPairStatistics, estimate: Double?) -> ConnectionStats.CandidatePair {
    ConnectionStats.CandidatePair(
      currentRoundTripTimeSeconds: pair.roundTripTime?.inSeconds ?? 0,
      totalRoundTripTimeSeconds: pair.totalRoundTripTime.inSeconds, priority: pair.priority,
      state: name(pair.state), nominated: pair.isNominated,
      writable: pair.isSelected && pair.state == .succeeded,
      availableOutgoingBitrateBPS: pair.isSelected ? estimate ?? 0 : 0, bytesSent: pair.bytesSent,
      bytesReceived: pair.bytesReceived, packetsSent: pair.packetsSent, packetsReceived: pair.packetsReceived,
      localCandidateType: pair.local.kind.rawValue, localRelayProtocol: relayProtocol(pair))
  }

  private static func relayProtocol(_ pair: ICEPairStatistics) -> String? {
    pair.local.kind == .relayed ? "udp" : nil
  }

  private static func name(_ state: ICEPairStatistics.State) -> String {
    switch state {
    case .frozen, .waiting: "waiting"
    case .inProgress: "in-progress"
    case .succeeded: "succeeded"
    case .failed: "failed"
    }
  }
}
