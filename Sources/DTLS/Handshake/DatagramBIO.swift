import COpenSSL
import WireFormat

/// The network as OpenSSL sees it: each write is one datagram, each read gives one whole datagram.
///
/// OpenSSL's memory BIO is a stream: it glues the records of a flight together, over any MTU. This one keeps
/// them apart. It also learns of the library's handshake timer (see docs/dtls.md).
@safe final class DatagramBIO {
  /// Datagrams that wait to be sent. A handshake flight has at most a dozen; beyond, the newest is dropped,
  /// as a full router would.
  static let outgoingLimit = 64

  private let pool: PacketPool
  private var outgoing = FIFO<PacketBuffer>(minimumCapacity: DatagramBIO.outgoingLimit)
  private(set) var sent: UInt64 = 0
  private(set) var dropped: UInt64 = 0

  // Set only while `withInput` runs.
  private var input: UnsafeRawBufferPointer?

  /// Whether the library waits for an answer to a flight.
  private(set) var isTimerSet = false
  private var didTimerChange = false
  // The library's own deadline, inside the SSL object: valid as long as that is. A library that hands out a
  // copy instead is told apart before anything is written here (OpenSSLSession.letsTimerBeMoved).
  private var timerField: UnsafeMutableRawPointer?

  init(pool: PacketPool) {
    self.pool = pool
    unsafe input = nil
    unsafe timerField = nil
  }

  func nextOutgoing() -> PacketBuffer? {
    outgoing.popFirst()
  }

  /// Runs `body` while `datagram` can be read once.
  func withInput<Result>(_ datagram: RawSpan, _ body: () -> Result) -> Result {
    unsafe datagram.withUnsafeBytes { bytes in
      unsafe input = bytes
      defer { unsafe input = nil }
      return body()
    }
  }

  /// A BIO over this object, which must outlive it.
  func makeBIO() -> OpaquePointer? {
    guard let method = unsafe Self.method.pointer, let bio = unsafe BIO_new(method) else { return nil }
    unsafe BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
    unsafe BIO_set_init(bio, 1)
    return unsafe bio
  }

  // MARK: Timer

  /// Whether the library touched its timer since the last call.
  func takeTimerChange() -> Bool {
    defer { didTimerChange = false }
    return didTimerChange
  }

  /// Makes the library believe that its timer has run out; see docs/dtls.md.
  func expireTimer() {
    guard isTimerSet, let field = unsafe timerField else { return }
    unsafe shim_timeval_set(field, 1)
  }

  /// Forgets the library's deadline, before the SSL object that holds it goes.
  func detachTimer() {
    unsafe timerField = nil
    isTimerSet = false
  }

  private func timerChanged(_ field: UnsafeMutableRawPointer) {
    unsafe timerField = field
    didTimerChange = true
    isTimerSet = unsafe shim_timeval_is_set(field) != 0
    // Year 5138: the library's clock never gets there, our own calls `expireTimer`.
    if isTimerSet { unsafe shim_timeval_set(field, 100_000_000_000) }
  }

  // MARK: Calls from the library

  private func write(_ bytes: UnsafeRawBufferPointer) {
    let buffer = pool.take()
    do {
      try buffer.append(unsafe RawSpan(_unsafeBytes: bytes))
    } catch {
      dropped &+= 1
      pool.give(consume buffer)
      return
    }
    guard outgoing.count < DatagramBIO.outgoingLimit else {
      dropped &+= 1
      pool.give(consume buffer)
      return
    }
    outgoing.append(buffer)
    sent &+= 1
  }

  private func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
    guard let datagram = unsafe input else { return nil }
    unsafe input = nil
    let count = min(room.count, datagram.count)
    unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: datagram[..<count]))
    return count
  }

  private func control(_ command: Int32, _ argument: UnsafeMutableRawPointer?) -> Int {
    switch command {
    case BIO_CTRL_FLUSH:
      return 1
    case BIO_CTRL_DGRAM_SET_NEXT_TIMEOUT:
      if let argument = unsafe argument { unsafe timerChanged(argument) }
      return 1
    default:
      // MTU questions too: the MTU is set on the SSL object, never queried.
      return 0
    }
  }

  @safe private struct Method: @unchecked Sendable {
    // Sendable because it is written once, in `method`, and only read by BIO_new.
    let pointer: OpaquePointer?
  }

  private static let method: Method = {
    let kind = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
    guard let method = unsafe BIO_meth_new(kind, "datagrams") else { return unsafe Method(pointer: nil) }
    unsafe BIO_meth_set_write(method) { bio, bytes, count in
      unsafe shim_BIO_clear_retry_flags(bio)
      guard let owner = unsafe DatagramBIO.owner(of: bio), let bytes = unsafe bytes, count > 0 else {
        return -1
      }
      unsafe owner.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
      return count
    }
    unsafe BIO_meth_set_read(method) { bio, bytes, count in
      unsafe shim_BIO_clear_retry_flags(bio)
      guard let owner = unsafe DatagramBIO.owner(of: bio), let bytes = unsafe bytes, count > 0 else {
        return -1
      }
      let room = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
      guard let read = unsafe owner.read(into: room) else {
        unsafe shim_BIO_set_retry_read(bio)
        return -1
      }
      return Int32(truncatingIfNeeded: read)
    }
    unsafe BIO_meth_set_ctrl(method) { bio, command, _, argument in
      guard let owner = unsafe DatagramBIO.owner(of: bio) else { return 0 }
      return unsafe owner.control(command, argument)
    }
    return unsafe Method(pointer: method)
  }()

  private static func owner(of bio: OpaquePointer?) -> DatagramBIO? {
    guard let data = unsafe BIO_get_data(bio) else { return nil }
    return unsafe Unmanaged<DatagramBIO>.fromOpaque(data).takeUnretainedValue()
  }
}
