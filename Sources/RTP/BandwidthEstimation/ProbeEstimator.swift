import WireFormat

/// What a probe has shown.
package struct ProbeResult: Hashable, Sendable {
  package var cluster: Int
  /// The rate at which the train came in, or left where that was slower; bits per second.
  package var bitrate: Double
  /// The path stretched the train: ``bitrate`` is its capacity, not only a lower bound.
  package var isSaturated: Bool

  /// What may be sent on the strength of it: a little below a capacity, lest its queue never drain.
  package var usableBitrate: Double { isSaturated ? 0.935 * bitrate : bitrate }
}

/// Measures how fast each probe's train of packets arrived.
package struct ProbeEstimator: Sendable {
  private struct Train {
    var request: ProbeRequest
    var packets = 0
    var bytes = 0
    var firstSentAt = Instant.distantFuture
    var lastSentAt = Instant.origin
    var lastSentBytes = 0
    var firstReceivedAt = Instant.distantFuture
    var firstReceivedBytes = 0
    var lastReceivedAt = Instant.origin
    var isDone = false
  }

  /// Trains watched at a time; the oldest gives way.
  private static let trainLimit = 8
  /// The share of a train that has to arrive.
  private static let arrivalShare = 0.8
  private static let longestTrain = Interval.seconds(1)

  private var trains: [Train] = []

  package init() {}

  package mutating func expect(_ request: ProbeRequest) {
    if trains.count >= ProbeEstimator.trainLimit { trains.removeFirst() }
    trains.append(Train(request: request))
  }

  /// The rate that was asked of `cluster`.
  package func requestedBitrate(of cluster: Int) -> Int? {
    trains.first { $0.request.cluster == cluster }?.request.bitrate
  }

  /// Takes a received packet of a probe.
  package mutating func add(_ packet: PacketFeedback) {
    guard let cluster = packet.probeCluster, let receivedAt = packet.receivedAt,
      let index = trains.firstIndex(where: { $0.request.cluster == cluster })
    else { return }
    var train = trains[index]
    train.packets += 1
    train.bytes += packet.size
    if packet.sentAt < train.firstSentAt { train.firstSentAt = packet.sentAt }
    if packet.sentAt >= train.lastSentAt {
      train.lastSentAt = packet.sentAt
      train.lastSentBytes = packet.size
    }
    if receivedAt < train.firstReceivedAt {
      train.firstReceivedAt = receivedAt
      train.firstReceivedBytes = packet.size
    }
    train.lastReceivedAt = max(train.lastReceivedAt, receivedAt)
    trains[index] = train
  }

  /// The next train that has arrived for the greater part, each once. Call after a batch of feedback, so that
  /// a train is judged with all that came in together.
  package mutating func nextResult() -> ProbeResult? {
    for index in trains.indices {
      guard !trains[index].isDone, let result = evaluate(trains[index]) else { continue }
      trains[index].isDone = true
      return result
    }
    return nil
  }

  private func evaluate(_ train: Train) -> ProbeResult? {
    let share = ProbeEstimator.arrivalShare
    guard Double(train.packets) >= share * Double(train.request.minimumPackets),
      Double(train.bytes) >= share * Double(train.request.minimumBytes)
    else { return nil }
    let sendSpan = train.lastSentAt - train.firstSentAt
    let receiveSpan = train.lastReceivedAt - train.firstReceivedAt
    let longest = ProbeEstimator.longestTrain
    guard sendSpan > .zero, longest > sendSpan, receiveSpan > .zero, longest > receiveSpan
    else { return nil }
    let sendRate = Double(train.bytes - train.lastSentBytes) * 8 / sendSpan.inSeconds
    let receiveRate = Double(train.bytes - train.firstReceivedBytes) * 8 / receiveSpan.inSeconds
    // Packets that were held back somewhere and let go at once tell no rate.
    guard receiveRate < 2 * sendRate else { return nil }
    return ProbeResult(
      cluster: train.request.cluster, bitrate: min(sendRate, receiveRate),
      isSaturated: receiveRate < 0.9 * sendRate)
  }
}
