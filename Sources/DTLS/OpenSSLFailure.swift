import COpenSSL

/// The newest entry of OpenSSL's error queue of this thread.
struct OpenSSLFailure {
  let code: UInt

  /// Takes the newest entry and empties the queue.
  static func take() -> OpenSSLFailure {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    return OpenSSLFailure(code: code)
  }

  /// A fixed text of the library, never data.
  var text: String {
    guard code != 0, let text = unsafe ERR_reason_error_string(code) else { return "unknown" }
    return unsafe String(cString: text)
  }

  /// The reason's number inside the library that reported it.
  var reason: Int32 { Int32(truncatingIfNeeded: code & 0x7F_FFFF) }
}
