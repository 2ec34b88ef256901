import Dispatch

/// Runs event handlers one at a time, in the order in which things happened: on a serial queue of the SDK, or
/// on the queue that the app chose.
final class EventDispatcher: Sendable {
  private let serial: DispatchQueue
  private let target: DispatchQueue?

  init(queue: DispatchQueue?) {
    target = queue
    // The app's queue may be concurrent: a serial queue that targets it keeps the order all the same.
    serial = DispatchQueue(label: "reactor.events", target: queue)
  }

  func post(_ work: @escaping @Sendable () -> Void) {
    serial.async(execute: work)
  }
}
