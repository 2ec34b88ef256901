import ICE
import STUN
import TestSupport
import WireFormat

/// A TCP connection between an agent and a simulated server: bytes come cut at odd places.
final class StreamPair {
  // It is what holds this pair, through its closures.
  private unowned let peers: TwoAgents
  private let server: SimulatedServer
  private var framer = TURNStreamFramer()
  private var id: ICEStreamID?

  init(peers: TwoAgents, server: SimulatedServer) {
    self.peers = peers
    self.server = server
    server.streamWrite = { [unowned self] _, bytes in toAgent(bytes) }
  }

  func open(_ id: ICEStreamID, _ to: SocketAddress) {
    self.id = id
    framer = TURNStreamFramer()
    peers.after(.milliseconds(1)) { [self] in
      peers.left.act { $0.streamConnected(id, local: nil, at: peers.network.now) }
    }
  }

  func write(_ id: ICEStreamID, _ bytes: [UInt8]) {
    peers.after(.milliseconds(1)) { [self] in
      for piece in stride(from: 0, to: bytes.count, by: 3) {
        framer.append(Array(bytes[piece..<min(bytes.count, piece + 3)]).rawSpan)
        while let frame = framer.next() { server.receiveStream(frame, stream: id.number) }
      }
    }
  }

  private func toAgent(_ bytes: [UInt8]) {
    guard let id else { return }
    peers.after(.milliseconds(1)) { [self] in
      for piece in stride(from: 0, to: bytes.count, by: 7) {
        let part = Array(bytes[piece..<min(bytes.count, piece + 7)])
        peers.left.act { agent in
          agent.handleStream(part.rawSpan, from: id, at: peers.network.now) { datagram, _ in
            peers.left.noteReceived(datagram.copyBytes())
          }
        }
      }
    }
  }
}
