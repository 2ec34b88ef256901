import Foundation
import ICE
import STUN
import WireFormat

/// Whether a STUN server answers, and with it whether UDP gets out and back: one Binding request, sent up to four times.
enum BindingCheck {
  /// What the tool asks when nothing else is named.
  static let publicServer = "stun:stun.l.google.com:19302"

  /// Seconds that each sending waits for the answer.
  private static let waits = [0.5, 1, 1.5, 2]

  private enum Outcome {
    case answered(SocketAddress?)
    case unresolved
    case noSocket(String)
    case refused
    case silent
  }

  static func check(_ uri: ICEServerURI) async -> Finding {
    let name = "stun server"
    guard uri.transport == .udp else {
      return Finding(name, .broken, "\(uri) is of no use: sessions ask STUN servers over UDP only")
    }
    // The system's resolver and the socket block.
    let outcome = await Task.detached { ask(uri.host, uri.port) }.value
    switch outcome {
    case .answered(let address):
      let seen = address.map { ", and sees this machine as \($0.ip)" } ?? ""
      return Finding(name, .ok, "\(uri) answers\(seen): UDP gets out and back")
    case .unresolved:
      return Finding(
        name, .broken, "the name in \(uri) does not resolve: there is no network, or no name service")
    case .noSocket(let reason): return Finding(name, .broken, "\(uri) cannot be reached from here: \(reason)")
    case .refused: return Finding(name, .broken, "\(uri) is no STUN server: nobody listens at that port")
    case .silent:
      return Finding(
        name, .broken,
        "\(uri) does not answer: UDP to it is blocked on the way. Sessions with the outside then need a TURN server "
          + "that takes TCP or TLS")
    }
  }

  private static func ask(_ host: String, _ port: UInt16) -> Outcome {
    #if canImport(Darwin)
      let datagrams = SOCK_DGRAM
    #else
      let datagrams = Int32(SOCK_DGRAM.rawValue)
    #endif
    var hints = addrinfo()
    hints.ai_socktype = datagrams
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return .unresolved }
    defer { freeaddrinfo(list) }
    var outcome = Outcome.unresolved
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      outcome = ask(entry)
      if case .answered = outcome { break }
    }
    return outcome
  }

  private static func ask(_ server: addrinfo) -> Outcome {
    let descriptor = socket(server.ai_family, server.ai_socktype, server.ai_protocol)
    guard descriptor >= 0 else { return .noSocket(reason()) }
    defer { close(descriptor) }
    guard connect(descriptor, server.ai_addr, server.ai_addrlen) == 0 else { return .noSocket(reason()) }
    let id = STUNTransactionID(
      high: UInt32.random(in: 0...UInt32.max), low: UInt64.random(in: 0...UInt64.max))
    let request = STUNMessage(.request, .binding, transactionID: id).encoded()
    var buffer = [UInt8](repeating: 0, count: 2048)
    var isRefused = false
    for wait in waits {
      _ = send(descriptor, request, request.count, 0)
      var limit = timeval(tv_sec: Int(wait), tv_usec: .init(wait.truncatingRemainder(dividingBy: 1) * 1e6))
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      // What comes through the connected socket is the server's, or the system's word that nobody is there.
      let count = recv(descriptor, &buffer, buffer.count, 0)
      isRefused = count < 0 && errno == ECONNREFUSED
      guard count > 0, let answer = try? STUNMessage(decoding: Array(buffer[..<count]).rawSpan),
        answer.transactionID == id
      else { continue }
      return .answered(answer.mappedAddress)
    }
    return isRefused ? .refused : .silent
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
