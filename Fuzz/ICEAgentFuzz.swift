import ICE
import STUN
import WireFormat

/// An agent with a peer, a STUN and a TURN server, fed datagrams that nobody vouches for. The input is a row
/// of datagrams, each behind a byte that tells its source and two bytes of length. The top bit of the first
/// byte has the datagram signed as the peer would, so that what lies behind the authentication is reached.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzICEAgent(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let stun = try? ICEServerURI("stun:192.0.2.7"), let turn = try? ICEServerURI("turn:192.0.2.8") else {
    return 0
  }
  let servers = [ICEServer(uris: [stun, turn], username: "user", password: "secret")]
  let agent = ICEAgent(
    configuration: ICEConfiguration(role: .controlling, servers: servers), random: RandomSource(seed: 1))
  let local = SocketAddress(ip: IPAddress(ipv4: 0xC000_0201), port: 5000)
  var now = Instant.origin
  agent.addLocalAddress(LocalInterfaceAddress(bound: local), at: now)
  agent.gather(at: now)
  agent.setRemoteParameters(ICEParameters(ufrag: "peer", password: "peerpasswordpeerpassword"), at: now)
  let key = STUNIntegrityKey(password: agent.localParameters.password)
  var reader = ByteReader(RawSpan(_unsafeStart: UnsafeRawPointer(start), byteCount: count))
  while let kind = try? reader.uint8(), let length = try? reader.uint16(),
    let datagram = try? reader.bytes(min(Int(length), reader.remaining))
  {
    let source = SocketAddress(ip: IPAddress(ipv4: 0xC000_0206 + UInt32(kind & 3)), port: 3478)
    var bytes = datagram.copyBytes()
    if kind & 0x80 != 0, var message = try? STUNMessage(decoding: datagram) {
      if message.messageClass == .request {
        message.attributes.insert(.username("\(agent.localParameters.ufrag):peer"), at: 0)
      }
      bytes = message.encoded(key: key)
    }
    if case .application(let range, _) = agent.handle(bytes.rawSpan, from: source, to: local, at: now) {
      precondition(range.upperBound <= bytes.count)
    }
    if kind & 0x40 != 0 {
      now += .milliseconds(700)
      agent.handleTimeout(at: now)
    }
    while agent.nextTransmit() != nil {}
    while agent.nextEvent() != nil {}
  }
  return 0
}
