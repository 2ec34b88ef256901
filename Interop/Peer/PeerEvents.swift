import Digest
import PeerConnection
import ReactorTypes

/// A connection's events as lines.
enum PeerEvents {
  /// Texts up to this size are told, longer ones by their hash alone.
  private static let textLimit = 4096

  static func json(_ event: LiveConnectionEvent, peer: String) -> JSONValue {
    var line: [String: JSONValue] = ["peer": .string(peer)]
    switch event {
    case .stateChanged(let state):
      line["event"] = "state"
      if case .failed(let failure) = state {
        line["state"] = "failed"
        line["reason"] = .string("\(failure)")
      } else {
        line["state"] = .string("\(state)")
      }
    case .localCandidate(let text, let mid, let index):
      line["event"] = "candidate"
      line["candidate"] = .string(text)
      line["mid"] = .string(mid)
      line["index"] = .number(Double(index))
    case .endOfCandidates: line["event"] = "endOfCandidates"
    case .channelOpened(let label):
      line["event"] = "open"
      line["label"] = .string(label)
    case .message(let label, let bytes, let isText):
      line["event"] = "message"
      line["label"] = .string(label)
      line["isText"] = .bool(isText)
      line["size"] = .number(Double(bytes.count))
      line["sha256"] = .string(sha256(bytes))
      if isText, bytes.count <= textLimit {
        line["text"] = .string(String(decoding: bytes, as: UTF8.self))
      }
    case .channelClosed(let label, let reason):
      line["event"] = "channelClosed"
      line["label"] = .string(label)
      line["reason"] = .string(reason)
    case .note(let text):
      line["event"] = "note"
      line["text"] = .string(text)
    }
    return .object(line)
  }

  static func sha256(_ bytes: [UInt8]) -> String {
    (HashFunction.sha256.digest(bytes) ?? []).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
