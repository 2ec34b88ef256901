/// `a=simulcast` (RFC 8853): for each direction the streams, each with its alternatives.
package struct SimulcastDescription: Hashable, Sendable {
  package struct Alternative: Hashable, Sendable {
    package var rid: String
    /// Written with a leading `~`: negotiated, but not sent at first.
    package var isPaused: Bool

    package init(rid: String, isPaused: Bool = false) {
      self.rid = rid
      self.isPaused = isPaused
    }
  }

  package var send: [[Alternative]]
  package var receive: [[Alternative]]

  package init(send: [[Alternative]] = [], receive: [[Alternative]] = []) {
    self.send = send
    self.receive = receive
  }

  init?(parsing value: Substring) {
    let tokens = value.tokens
    guard tokens.count == 2 || tokens.count == 4 else { return nil }
    self.init()
    for start in stride(from: 0, to: tokens.count, by: 2) {
      let streams = tokens[start + 1].parts(separatedBy: UInt8(ascii: ";")).map { stream in
        stream.parts(separatedBy: UInt8(ascii: ",")).map { alternative in
          let isPaused = alternative.utf8.first == UInt8(ascii: "~")
          return Alternative(
            rid: String(isPaused ? alternative.dropFirst() : alternative), isPaused: isPaused)
        }
      }
      switch tokens[start] {
      case "send" where send.isEmpty: send = streams
      case "recv" where receive.isEmpty: receive = streams
      default: return nil
      }
    }
  }
}
