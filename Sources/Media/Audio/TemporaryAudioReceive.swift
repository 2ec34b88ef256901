import WireFormat
package final class AudioReceivePipeline: Sendable {
  package typealias Handler = @Sendable (borrowing ReceivedAudioFrame) -> Void
  package init(delivery: DeliveryThread) {}
  package func setHandler(_ handler: Handler?) {}
  package func insert(_ payload: [UInt8], sequenceNumber: UInt16, timestamp: UInt32, marker: Bool, arrival: Instant) {}
  package func close() {}
}
