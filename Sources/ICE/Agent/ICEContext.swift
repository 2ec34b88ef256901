import STUN
import WireFormat

/// What the parts of one agent share: configuration, randomness, and the way out for datagrams and events.
final class ICEContext {
  var configuration: ICEConfiguration
  var random: RandomSource
  private(set) var transmits = FIFO<ICETransmit>()
  private(set) var events = FIFO<ICEEvent>()
  private var lastNumber = 0

  /// Datagrams that were thrown away because the driver did not fetch them.
  private(set) var droppedTransmits = 0

  init(configuration: ICEConfiguration, random: RandomSource) {
    self.configuration = configuration
    self.random = random
  }

  var timing: ICETiming { configuration.timing }
  var limits: ICELimits { configuration.limits }

  /// A number for bases, pairs, streams and look-ups.
  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func transmit(_ payload: [UInt8], over path: ICETransmitPath) {
    guard transmits.count < limits.transmits else {
      droppedTransmits += 1
      return
    }
    transmits.append(ICETransmit(path: path, payload: payload))
  }

  func emit(_ event: ICEEvent) {
    events.append(event)
  }

  func nextTransmit() -> ICETransmit? { transmits.popFirst() }
  func nextEvent() -> ICEEvent? { events.popFirst() }

  func transactionID() -> STUNTransactionID { STUNTransactionID(random: &random) }
}
