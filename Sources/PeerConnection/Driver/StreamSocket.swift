import CSockets
import DTLS
import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A non-blocking TCP connection to a TURN server, with TLS when a server name is given. Belongs to its
/// loop's thread.
final class StreamSocket {
  /// Bytes that may wait for the kernel. A TURN stream that is this far behind drops whole frames, like a
  /// congested path; a frame is never cut.
  static let backlogLimit = 512 * 1024

  enum Progress {
    case none
    /// Connected, and through the TLS handshake where there is one.
    case connected(local: SocketAddress)
    case failed(String)
  }

  let descriptor: Int32
  private let tls: TLSClient?
  private var outgoing: [UInt8] = []
  private var outgoingHead = 0
  private var isTransportConnected = false
  private(set) var isConnected = false
  private(set) var droppedFrames = 0

  init(to address: SocketAddress, tlsServerName: String?) throws(SocketError) {
    var destination = address.cAddress
    descriptor = try SocketError.check(reactor_tcp_connect(&destination), "connect to \(address)")
    tls = tlsServerName.map { TLSClient(serverName: $0) }
  }

  deinit {
    close(descriptor)
  }

  /// Whether the loop must wait for room (or for the connection).
  var wantsWrite: Bool { !isTransportConnected || outgoingHead < outgoing.count }

  /// Queues one frame, whole.
  func send(_ bytes: RawSpan) {
    guard outgoing.count - outgoingHead + bytes.byteCount <= StreamSocket.backlogLimit else {
      droppedFrames += 1
      return
    }
    if let tls {
      tls.send(bytes)
      collectCiphertext()
    } else {
      bytes.withUnsafeBytes { outgoing.append(contentsOf: $0) }
    }
    flush()
  }

  /// The descriptor is ready for writing: the connection stands, or there is room.
  func handleWritable() -> Progress {
    if !isTransportConnected {
      let error = reactor_socket_error(descriptor)
      guard error == 0 else {
        return .failed(SocketError(operation: "connect", code: -error).description)
      }
      isTransportConnected = true
      tls?.start()
      collectCiphertext()
      flush()
      if tls == nil { return becomeConnected() }
      return .none
    }
    flush()
    return .none
  }

  /// The descriptor is ready for reading: plain bytes go to `body`.
  func handleReadable(_ body: (RawSpan) -> Void) -> Progress {
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return .failed("the server closed the connection") }
      if count < 0 {
        if errno == EAGAIN || errno == EWOULDBLOCK { return .none }
        if errno == EINTR { continue }
        return .failed(SocketError(operation: "read", code: errno).description)
      }
      guard let tls else {
        body(chunk.rawSpan.clamped(0..<count))
        continue
      }
      tls.handle(chunk.rawSpan.clamped(0..<count))
      collectCiphertext()
      flush()
      if let failure = tls.failure { return .failed(failure) }
      while let plaintext = tls.nextReceived() { body(plaintext.rawSpan) }
      if tls.isConnected, !isConnected { return becomeConnected() }
    }
  }

  private func becomeConnected() -> Progress {
    isConnected = true
    var local = reactor_address()
    let result = reactor_socket_local_address(descriptor, &local)
    guard result == 0 else {
      return .failed(SocketError(operation: "getsockname", code: -result).description)
    }
    return .connected(local: SocketAddress(local))
  }

  private func collectCiphertext() {
    while let bytes = tls?.nextTransmit() { outgoing.append(contentsOf: bytes) }
  }

  private func flush() {
    guard isTransportConnected else { return }
    while outgoingHead < outgoing.count {
      let sent = outgoing.withUnsafeBytes { bytes -> Int in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[outgoingHead...])
        return Int(reactor_stream_send(descriptor, rest.baseAddress, rest.count))
      }
      guard sent > 0 else { break }
      outgoingHead += sent
    }
    if outgoingHead == outgoing.count {
      outgoing.removeAll(keepingCapacity: true)
      outgoingHead = 0
    } else if outgoingHead > StreamSocket.backlogLimit {
      outgoing.removeFirst(outgoingHead)
      outgoingHead = 0
    }
  }
}
