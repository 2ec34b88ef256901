import Foundation
import ReactorTypes
import ReactorWire
import TestSupport

/// One line of a data-channel recording.
package struct RecordedMessage: Sendable {
  package var place: String
  package var fromClient: Bool
  package var message: WireMessage
  /// What the recorder understood, by field name.
  package var decoded: JSONValue?

  /// All whole messages of `file`.
  package static func load(_ file: String) -> [RecordedMessage] {
    let text = (try? Fixture.text("DataChannel/\(file)")) ?? ""
    return text.split(separator: "\n").enumerated().compactMap { number, line in
      guard let json = try? JSONValue(parsing: String(line)), let channel = json["channel"]?.stringValue
      else {
        return nil
      }
      let sender = json["direction"]?.stringValue ?? json["from"]?.stringValue ?? ""
      let isText = json["kind"] == "text" || json["binary"] == false
      let bytes: [UInt8]
      if let base64 = json["base64"]?.stringValue, let data = Data(base64Encoded: base64) {
        bytes = [UInt8](data)
      } else if let text = json["text"]?.stringValue {
        bytes = Array(text.utf8)
      } else {
        return nil
      }
      return RecordedMessage(
        place: "\(file):\(number + 1)", fromClient: sender.hasPrefix("client"),
        message: WireMessage(channel: ChannelLabel(label: channel), isText: isText, bytes: bytes),
        decoded: json["message"])
    }
  }

  package static let binaryFiles = [
    "reactor/sdk-1.13_runtime-3.10/session/00.datachannel.jsonl",
    "reactor/sdk-1.13_runtime-3.10/session/01.datachannel.jsonl",
    "reactor/sdk-1.13_runtime-3.10/stepped/00.datachannel.jsonl",
    "runtime-3.10/VP8/00.datachannel.jsonl", "runtime-3.10/VP8/01.datachannel.jsonl",
  ]
  package static let textFiles = [
    "reactor/sdk-0.8_runtime-2.10/00.datachannel.jsonl", "reactor/sdk-0.8_runtime-3.10/00.datachannel.jsonl",
  ]
}
