import CAllocationCount

/// How often this program asked for memory so far, in all threads.
///
/// The program's own `malloc` stands before the system's (Linux only; elsewhere the count stays 0).
enum AllocationCount {
  static var now: Int { Int(reactor_allocation_count()) }
}
