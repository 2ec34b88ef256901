import WireFormat

/// Transport-wide congestion control feedback (transport feedback format 15;
/// draft-holmer-rmcat-transport-wide-cc-extensions-01 section 3.1).
package struct TransportFeedback: Hashable, Sendable {
  package enum Status: Hashable, Sendable {
    case notReceived
    /// Time since the packet received before it (for the first: since `referenceTime`), in 250 µs.
    case received(delta: Int16)
    /// Received, and the receiver does not say when.
    case receivedWithoutTime
  }

  package var senderSSRC: UInt32
  package var mediaSSRC: UInt32
  /// The transport-wide sequence number that `statuses` begins with.
  package var baseSequence: UInt16
  /// 24 bits, signed, units of 64 ms, on the receiver's clock.
  package var referenceTime: Int32
  /// Counts feedback packets; a gap means one was lost.
  package var feedbackCount: UInt8
  /// One for each sequence number from `baseSequence` on; at most 65 535.
  package var statuses: [Status]

  package init(
    senderSSRC: UInt32, mediaSSRC: UInt32, baseSequence: UInt16, referenceTime: Int32, feedbackCount: UInt8,
    statuses: [Status]
  ) {
    self.senderSSRC = senderSSRC
    self.mediaSSRC = mediaSSRC
    self.baseSequence = baseSequence
    self.referenceTime = referenceTime
    self.feedbackCount = feedbackCount
    self.statuses = statuses
  }

  package static let deltaUnit = Interval.microseconds(250)
  package static let referenceUnit = Interval.milliseconds(64 as Int64)

  /// What the feedback says of one packet.
  package struct PacketResult: Hashable, Sendable {
    package let sequenceNumber: UInt16
    package let isReceived: Bool
    /// On the receiver's clock, whose origin means nothing and which wraps with `referenceTime`; nil when
    /// lost or untimed.
    package let arrival: Interval?
  }

  /// Each packet's fate, in the order of sequence numbers.
  package var results: [PacketResult] {
    var time = TransportFeedback.referenceUnit * Int64(referenceTime)
    var sequence = baseSequence
    return statuses.map { status in
      defer { sequence &+= 1 }
      switch status {
      case .notReceived: return PacketResult(sequenceNumber: sequence, isReceived: false, arrival: nil)
      case .receivedWithoutTime:
        return PacketResult(sequenceNumber: sequence, isReceived: true, arrival: nil)
      case .received(let delta):
        time += TransportFeedback.deltaUnit * Int64(delta)
        return PacketResult(sequenceNumber: sequence, isReceived: true, arrival: time)
      }
    }
  }

  static let format: UInt8 = 15

  init(body: RawSpan) throws(RTPError) {
    var reader = ByteReader(body)
    guard let sender = try? reader.uint32(), let media = try? reader.uint32(),
      let base = try? reader.uint16(), let count = try? reader.uint16(), let time = try? reader.uint24(),
      let number = try? reader.uint8()
    else { throw .truncated }
    senderSSRC = sender
    mediaSSRC = media
    baseSequence = base
    referenceTime = Int32(bitPattern: time &<< 8) &>> 8
    feedbackCount = number
    statuses = try TransportFeedbackChunks.read(&reader, count: Int(count))
    for index in statuses.indices {
      guard case .received(let size) = statuses[index] else { continue }
      if size == 1 {
        guard let delta = try? reader.uint8() else { throw .truncated }
        statuses[index] = .received(delta: Int16(delta))
      } else {
        guard let delta = try? reader.uint16() else { throw .truncated }
        statuses[index] = .received(delta: Int16(bitPattern: delta))
      }
    }
  }

  func write(into writer: inout ByteWriter) {
    let listed = statuses.prefix(Int(UInt16.max))
    RTCPHeader.write(
      count: Int(TransportFeedback.format), type: RTCPHeader.PacketType.transportFeedback, into: &writer
    ) { writer in
      writer.write(senderSSRC)
      writer.write(mediaSSRC)
      writer.write(baseSequence)
      writer.write(UInt16(truncatingIfNeeded: listed.count))
      writer.write24(UInt32(bitPattern: referenceTime))
      writer.write(feedbackCount)
      TransportFeedbackChunks.write(listed, into: &writer)
      for case .received(let delta) in listed {
        if delta >= 0, delta <= 255 {
          writer.write(UInt8(truncatingIfNeeded: delta))
        } else {
          writer.write(UInt16(bitPattern: delta))
        }
      }
    }
  }
}
