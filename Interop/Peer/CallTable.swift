import PeerConnection
import RTP
import ReactorTypes

/// The peers by name, and what each call does.
actor CallTable {
  private let output: LineOutput
  private var peers: [String: Peer] = [:]

  init(output: LineOutput) {
    self.output = output
  }

  func reply(to call: JSONValue) async -> JSONValue {
    let id = call["id"] ?? .null
    do {
      return ["id": id, "result": try await result(of: call)]
    } catch {
      return ["id": id, "error": .string("\(error)")]
    }
  }

  func closeAll() async {
    for peer in peers.values { await peer.close() }
    peers.removeAll()
  }

  private func result(of call: JSONValue) async throws -> JSONValue {
    let name = try call.text("call")
    switch name {
    case "create":
      let name = try call.text("peer")
      guard peers[name] == nil else { throw CallError("there is a peer \(name) already") }
      peers[name] = try Peer(name: name, configuration: try call.connectionConfiguration(), output: output)
      return [:]
    case "process": return try ProcessFigures.current()
    case "close", "abandon":
      let name = try call.text("peer")
      guard let peer = peers.removeValue(forKey: name) else { throw CallError("there is no peer \(name)") }
      await name == "abandon" ? peer.abandon() : peer.close()
      return [:]
    default: return try await peer(of: call).result(of: name, call)
    }
  }

  private func peer(of call: JSONValue) throws -> Peer {
    let name = try call.text("peer")
    guard let peer = peers[name] else { throw CallError("there is no peer \(name)") }
    return peer
  }
}

/// Why a call was refused.
struct CallError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
