import PeerConnection
import ReactorTypes
import ReactorWire
import Signaling

/// The quality report that a client sends to the runtime now and then (wire protocol, ClientStats).
enum QualityReport {
  static func make(_ snapshot: LiveStatistics, tracks: TrackRegistry) -> ClientStats {
    let now = Int64(SystemClock().unixMilliseconds())
    let names = Dictionary(
      tracks.mids.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    let inbound = snapshot.connection.media.inbound.compactMap { stream -> ClientStats.TrackStat? in
      guard let name = names[stream.mid] else { return nil }
      let decoder = snapshot.videoReceivers[stream.mid]
      var metrics = [
        "jitter_ms": stream.jitter.inMilliseconds, "packets_lost": Double(stream.packetsLost),
        "packets_received": Double(stream.packetsReceived), "nack_count": Double(stream.nackCount),
      ]
      if let decoder {
        metrics["frames_decoded"] = Double(decoder.framesDecoded)
        metrics["frames_dropped"] = Double(decoder.framesDropped)
        metrics["frames_per_second"] = decoder.framesPerSecond ?? 0
        metrics["frame_width"] = Double(decoder.width)
        metrics["frame_height"] = Double(decoder.height)
        metrics["keyframe_requests"] = Double(decoder.keyframeRequests)
      }
      return ClientStats.TrackStat(
        timestampMS: now, trackName: name, isVideo: stream.isVideo, isReceived: true,
        isPaused: tracks.isPaused(name), metrics: metrics)
    }
    let outbound = snapshot.connection.media.outbound.compactMap { stream -> ClientStats.TrackStat? in
      guard let name = names[stream.mid] else { return nil }
      let counters = stream.counters
      return ClientStats.TrackStat(
        timestampMS: now, trackName: name, isVideo: stream.isVideo, isReceived: false,
        isPaused: tracks.isPaused(name),
        metrics: [
          "packets_sent": Double(counters.packetsSent),
          "retransmitted_packets_sent": Double(counters.retransmittedPacketsSent),
          "frame_width": Double(counters.frameWidth), "frame_height": Double(counters.frameHeight),
          "round_trip_time_ms": counters.roundTripTime?.inMilliseconds ?? 0,
        ])
    }
    var metrics: [String: Double] = [:]
    if let pair = snapshot.connection.pairs.first(where: \.isSelected), let time = pair.roundTripTime {
      metrics["connection_rtt_ms"] = time.inMilliseconds
    }
    if let estimate = snapshot.connection.media.targetBitrate {
      metrics["available_outgoing_bitrate_bps"] = Double(estimate)
    }
    return ClientStats(
      tracks: inbound + outbound,
      connection: ClientStats.ConnectionStat(timestampMS: now, metrics: metrics, environment: environment))
  }

  private static var environment: ClientStats.Environment {
    var result = ClientStats.Environment()
    result.sdkType = ReactorDefaults.sdkType
    result.sdkVersion = ReactorSDK.version
    return result
  }
}
