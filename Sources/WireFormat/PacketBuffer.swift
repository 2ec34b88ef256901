/// One datagram's bytes in a fixed block of memory, with room in front for headers that are added later.
///
/// A buffer belongs to one thread at a time (it is not `Sendable`). It comes from a ``PacketPool`` and goes
/// back there; one that is not given back is freed by reference counting like any object.
///
/// Nothing here traps on sizes that come from packets: what does not fit throws ``WireError/full(capacity:)``.
@usableFromInline @safe package final class PacketBuffer {
  /// Fits an Ethernet datagram, its TURN framing and an SRTP trailer.
  package static let defaultCapacity = 2048

  /// Room kept in front of the payload: a TURN Send indication (36 bytes, or 48 for IPv6) or ChannelData
  /// header goes there without moving the payload.
  package static let defaultHeadroom = 64

  @usableFromInline package let capacity: Int
  @usableFromInline let memory: UnsafeMutableRawPointer
  // Every access to them is a single load or store, so none can overlap another: what the check at run time
  // costs (a call an access, in every module that inlines one) buys nothing.
  @safe @exclusivity(unchecked) @usableFromInline var start: Int
  @safe @exclusivity(unchecked) @usableFromInline var end: Int
  /// Whether a pool keeps it for the next one who asks.
  var isInPool = false

  package init(capacity: Int = PacketBuffer.defaultCapacity, headroom: Int = PacketBuffer.defaultHeadroom) {
    let size = max(16, capacity)
    self.capacity = size
    unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    start = min(max(0, headroom), size)
    end = start
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// A buffer that holds a copy of `bytes` behind the usual headroom.
  package convenience init(copying bytes: [UInt8]) {
    self.init(capacity: max(PacketBuffer.defaultCapacity, bytes.count + PacketBuffer.defaultHeadroom))
    _ = try? append(bytes.rawSpan)
  }

  @inlinable package var count: Int { end &- start }
  @inlinable package var isEmpty: Bool { end == start }

  /// How many bytes `prepend` can still take.
  @inlinable package var headroom: Int { start }

  /// How many bytes `append` can still take.
  @inlinable package var tailroom: Int { capacity &- end }

  /// The payload. It stays valid as long as the borrow of the buffer; writes show through it.
  @inlinable package var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      let span = unsafe RawSpan(_unsafeStart: UnsafeRawPointer(memory + start), byteCount: end &- start)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Forgets the payload and leaves `headroom` bytes free in front.
  package func reset(headroom: Int = PacketBuffer.defaultHeadroom) {
    start = min(max(0, headroom), capacity)
    end = start
  }

  @inlinable package func append(_ value: UInt8) throws(WireError) {
    let at = try grow(by: 1)
    unsafe (memory + at).storeBytes(of: value, as: UInt8.self)
  }

  @inlinable package func append(_ value: UInt16) throws(WireError) {
    let at = try grow(by: 2)
    unsafe (memory + at).storeBytes(of: value.bigEndian, as: UInt16.self)
  }

  /// The low 24 bits.
  @inlinable package func append24(_ value: UInt32) throws(WireError) {
    // One check for both parts, so that what does not fit leaves nothing behind.
    guard tailroom >= 3 else { throw .full(capacity: capacity) }
    try append(UInt8(truncatingIfNeeded: value &>> 16))
    try append(UInt16(truncatingIfNeeded: value))
  }

  @inlinable package func append(_ value: UInt32) throws(WireError) {
    let at = try grow(by: 4)
    unsafe (memory + at).storeBytes(of: value.bigEndian, as: UInt32.self)
  }

  @inlinable package func append(_ value: UInt64) throws(WireError) {
    let at = try grow(by: 8)
    unsafe (memory + at).storeBytes(of: value.bigEndian, as: UInt64.self)
  }

  @inlinable package func append(_ span: RawSpan) throws(WireError) {
    let at = try grow(by: span.byteCount)
    unsafe span.withUnsafeBytes { source in
      guard let base = source.baseAddress, source.count > 0 else { return }
      unsafe (memory + at).copyMemory(from: base, byteCount: source.count)
    }
  }

  package func append(_ bytes: [UInt8]) throws(WireError) {
    try append(bytes.rawSpan)
  }

  package func appendZeros(_ count: Int) throws(WireError) {
    let at = try grow(by: count)
    unsafe (memory + at).initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }

  /// Puts `bytes` in front of the payload, into the headroom.
  package func prepend(_ bytes: [UInt8]) throws(WireError) {
    guard bytes.count <= start else { throw .full(capacity: capacity) }
    start &-= bytes.count
    unsafe bytes.withUnsafeBytes { source in
      guard let base = source.baseAddress, source.count > 0 else { return }
      unsafe (memory + start).copyMemory(from: base, byteCount: source.count)
    }
  }

  /// Drops `count` bytes from the front; at most all of them.
  package func dropFirst(_ count: Int) {
    start &+= min(max(0, count), self.count)
  }

  /// Cuts the payload to its first `count` bytes; does nothing when it is shorter.
  package func truncate(to count: Int) {
    end = start &+ min(max(0, count), self.count)
  }

  /// Cuts the payload to `range`; what lies outside the payload is ignored.
  package func narrow(to range: Range<Int>) {
    truncate(to: range.upperBound)
    dropFirst(range.lowerBound)
  }

  /// Overwrites one byte at `offset` of the payload; does nothing outside of it.
  @inlinable package func set(_ value: UInt8, at offset: Int) {
    guard offset >= 0, offset <= count &- 1 else { return }
    unsafe (memory + start + offset).storeBytes(of: value, as: UInt8.self)
  }

  /// Overwrites two bytes at `offset` of the payload; does nothing outside of it.
  @inlinable package func set(_ value: UInt16, at offset: Int) {
    guard offset >= 0, offset <= count &- 2 else { return }
    unsafe (memory + start + offset).storeBytes(of: value.bigEndian, as: UInt16.self)
  }

  /// Overwrites four bytes at `offset` of the payload; does nothing outside of it.
  @inlinable package func set(_ value: UInt32, at offset: Int) {
    guard offset >= 0, offset <= count &- 4 else { return }
    unsafe (memory + start + offset).storeBytes(of: value.bigEndian, as: UInt32.self)
  }

  /// Replaces the payload by `bytes`, behind the usual headroom where it fits.
  package func assign(_ bytes: RawSpan) throws(WireError) {
    reset(headroom: min(PacketBuffer.defaultHeadroom, max(0, capacity - bytes.byteCount)))
    try append(bytes)
  }

  /// For C libraries that work in place: `body` gets the payload and all the room behind it, the count of
  /// bytes that are payload, and returns the new count, which is held to what the memory can carry.
  @unsafe @inlinable @inline(__always)
  package func withUnsafeMutableBytes(_ body: (UnsafeMutableRawBufferPointer, Int) -> Int) {
    let room = unsafe UnsafeMutableRawBufferPointer(start: memory + start, count: capacity &- start)
    let newCount = unsafe body(room, count)
    end = start &+ min(max(0, newCount), capacity &- start)
  }

  @inlinable func grow(by size: Int) throws(WireError) -> Int {
    guard size >= 0, size <= tailroom else { throw .full(capacity: capacity) }
    let at = end
    end &+= size
    return at
  }
}
