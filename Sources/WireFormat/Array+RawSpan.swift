extension [UInt8] {
  /// The elements as raw bytes, without copying them.
  ///
  /// `Span.bytes` counts as unsafe because other element types may hold padding; bytes hold none.
  @inlinable package var rawSpan: RawSpan {
    @_lifetime(borrow self)
    get {
      let bytes = unsafe span.bytes
      return unsafe _overrideLifetime(bytes, borrowing: self)
    }
  }
}

extension ArraySlice<UInt8> {
  /// The elements as raw bytes, without copying them.
  @inlinable package var rawSpan: RawSpan {
    @_lifetime(borrow self)
    get {
      let bytes = unsafe span.bytes
      return unsafe _overrideLifetime(bytes, borrowing: self)
    }
  }
}

extension [UInt8] {
  /// Appends a copy of `span`.
  @inlinable package mutating func append(bytes span: RawSpan) {
    unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
