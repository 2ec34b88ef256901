import CSRTP

/// Key material in memory of its own that is overwritten when the last reference goes.
///
/// An array would leave copies behind wherever it is copied on write. The bytes never change after
/// initialisation and no pointer to them outlives a call.
@safe package final class SecretBytes: @unchecked Sendable, CustomStringConvertible {
  // Sendable because the memory is written in the initialisers and in deinit only.
  private let memory: UnsafeMutableRawBufferPointer

  /// Memory of `count` bytes that `fill` writes before anybody else can see it.
  package init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    unsafe memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(0, count), alignment: 16)
    for offset in 0..<max(0, count) {
      unsafe memory[offset] = 0
    }
    unsafe fill(memory)
  }

  /// A copy of `bytes`.
  package convenience init(copying bytes: RawSpan) {
    unsafe self.init(count: bytes.byteCount) { room in
      unsafe bytes.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
    }
  }

  deinit {
    if let base = unsafe memory.baseAddress { unsafe shim_wipe(base, memory.count) }
    unsafe memory.deallocate()
  }

  package var count: Int { unsafe memory.count }

  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      let span = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(memory))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Never the bytes.
  package var description: String { "\(count) secret bytes" }
}
