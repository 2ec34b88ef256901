/// An object of a loop's thread, carried by what other threads hold. Unchecked: it is set before the first event can
/// come, and only the loop's thread opens it.
package final class LoopReference<Object: AnyObject>: @unchecked Sendable {
  package weak var object: Object?

  package init(_ object: Object? = nil) {
    self.object = object
  }
}
