import CCurl
import ReactorTypes
import WireFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Sets up a libcurl handle: no redirects, no cookies, no cache, certificates verified.
struct CurlOptions {
  let handle: UnsafeMutableRawPointer

  /// Whether all options were taken. `context` reaches the callbacks.
  func apply(_ transfer: CurlTransfer, trust: HTTPTrust, context: UnsafeMutableRawPointer) -> Bool {
    let request = transfer.request
    guard let scheme = request.url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = request.url.host(percentEncoded: false), !host.isEmpty
    else { return false }
    let isLoopback = CurlOptions.isLoopback(host)
    return string(CURLOPT_URL, request.url.absoluteString)
      && string(CURLOPT_PROTOCOLS_STR, "http,https")
      && string(CURLOPT_CUSTOMREQUEST, request.method)
      && long(CURLOPT_NOSIGNAL, 1)
      && long(CURLOPT_FOLLOWLOCATION, 0)
      && long(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
      && long(CURLOPT_PATH_AS_IS, 1)
      && long(CURLOPT_TCP_KEEPALIVE, 1)
      // Ours, not libcurl's 5 minutes: the transfer's own deadline is what counts.
      && long(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(clamping: transfer.timeout.wholeMilliseconds)))
      && long(CURLOPT_HTTP_VERSION, reactor_curl_http_version_2tls())
      // Parallel calls share one connection where HTTP/2 allows it, instead of a handshake each.
      && long(CURLOPT_PIPEWAIT, 1)
      && long(CURLOPT_BUFFERSIZE, 64 << 10)
      // libcurl repeats a request by itself when a kept-alive connection turns out dead. What must not be sent
      // twice goes over a connection of its own.
      && long(CURLOPT_FRESH_CONNECT, request.mayReplay ? 0 : 1)
      && proxy(isLoopback: isLoopback)
      && verification(trust, isLoopback: isLoopback)
      && body(transfer)
      && callbacks(context)
  }

  private func proxy(isLoopback: Bool) -> Bool {
    // A proxy of the environment has no business between this machine and itself.
    isLoopback ? string(CURLOPT_PROXY, "") : true
  }

  private func verification(_ trust: HTTPTrust, isLoopback: Bool) -> Bool {
    let verifies = !(trust.trustsLoopback && isLoopback)
    return long(CURLOPT_SSL_VERIFYPEER, verifies ? 1 : 0)
      && long(CURLOPT_SSL_VERIFYHOST, verifies ? 2 : 0)
      && blob(CURLOPT_CAINFO_BLOB, trust.rootsPEM)
      && blob(CURLOPT_SSLCERT_BLOB, trust.clientCertificatePEM)
      && blob(CURLOPT_SSLKEY_BLOB, trust.clientKeyPEM)
  }

  private func body(_ transfer: CurlTransfer) -> Bool {
    guard let headers = transfer.makeHeaderList(), reactor_curl_set_headers(handle, headers) == CURLE_OK
    else {
      return false
    }
    if let file = transfer.file {
      return long(CURLOPT_UPLOAD, 1)
        && reactor_curl_set_offset(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(file.size)) == CURLE_OK
        && long(CURLOPT_UPLOAD_BUFFERSIZE, 128 << 10)
    }
    guard let bytes = transfer.makeBody() else { return true }
    return reactor_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count)) == CURLE_OK
      && reactor_curl_set_pointer(handle, CURLOPT_POSTFIELDS, bytes.baseAddress) == CURLE_OK
  }

  private func callbacks(_ context: UnsafeMutableRawPointer) -> Bool {
    reactor_curl_set_bytes_callback(handle, CURLOPT_WRITEFUNCTION, writeCallback) == CURLE_OK
      && reactor_curl_set_pointer(handle, CURLOPT_WRITEDATA, context) == CURLE_OK
      && reactor_curl_set_bytes_callback(handle, CURLOPT_HEADERFUNCTION, headerCallback) == CURLE_OK
      && reactor_curl_set_pointer(handle, CURLOPT_HEADERDATA, context) == CURLE_OK
      && reactor_curl_set_bytes_callback(handle, CURLOPT_READFUNCTION, readCallback) == CURLE_OK
      && reactor_curl_set_pointer(handle, CURLOPT_READDATA, context) == CURLE_OK
      && reactor_curl_set_seek_callback(handle, seekCallback) == CURLE_OK
      && reactor_curl_set_pointer(handle, CURLOPT_SEEKDATA, context) == CURLE_OK
      && reactor_curl_set_pointer(handle, CURLOPT_PRIVATE, context) == CURLE_OK
  }

  private func long(_ option: CURLoption, _ value: Int) -> Bool {
    reactor_curl_set_long(handle, option, value) == CURLE_OK
  }

  private func string(_ option: CURLoption, _ value: String) -> Bool {
    // A NUL would cut the text short.
    !value.utf8.contains(0) && reactor_curl_set_string(handle, option, value) == CURLE_OK
  }

  private func blob(_ option: CURLoption, _ bytes: [UInt8]?) -> Bool {
    guard var bytes else { return true }
    return bytes.withUnsafeMutableBytes { buffer in
      // Bit 0: libcurl copies the bytes.
      var blob = curl_blob(data: buffer.baseAddress, len: buffer.count, flags: 1)
      return withUnsafeMutablePointer(to: &blob) { reactor_curl_set_pointer(handle, option, $0) == CURLE_OK }
    }
  }

  static func isLoopback(_ host: String) -> Bool {
    var name = host.lowercased()
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    if name == "localhost" || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

// Callbacks of the loop's thread; `context` is a transfer that the loop keeps alive.

private let writeCallback: reactor_curl_bytes_callback = { bytes, size, count, context in
  guard let bytes, let context else { return 0 }
  let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  return transfer.received(
    body: UnsafeRawBufferPointer(start: bytes, count: size &* count), at: MonotonicClock.now())
}

private let headerCallback: reactor_curl_bytes_callback = { bytes, size, count, context in
  guard let bytes, let context else { return 0 }
  let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  return transfer.received(
    header: UnsafeRawBufferPointer(start: bytes, count: size &* count), at: MonotonicClock.now())
}

private let readCallback: reactor_curl_bytes_callback = { bytes, size, count, context in
  guard let bytes, let context else { return reactor_curl_read_abort() }
  let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  return transfer.read(
    into: UnsafeMutableRawBufferPointer(start: bytes, count: size &* count), at: MonotonicClock.now())
}

private let seekCallback: reactor_curl_seek_callback = { context, offset, origin in
  guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
  let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  return transfer.file?.rewind(to: Int(clamping: offset)) == true ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}
