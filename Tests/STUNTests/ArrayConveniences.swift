import STUN
import TestSupport
import WireFormat

/// Spans cannot go through `#expect`; arrays can.
extension STUNMessage {
  init(decoding bytes: some Collection<UInt8>) throws(STUNError) {
    let copy = Array(bytes)
    try self.init(decoding: copy.rawSpan)
  }

  func isAuthentic(_ bytes: [UInt8], key: STUNIntegrityKey) -> Bool {
    isAuthentic(bytes.rawSpan, key: key)
  }
}

extension TURNIndication {
  static func parseData(_ bytes: [UInt8]) -> (peer: SocketAddress, payload: Range<Int>)? {
    parseData(bytes.rawSpan)
  }
}

extension ChannelData {
  static func parse(_ bytes: [UInt8]) -> (channel: UInt16, payload: Range<Int>)? { parse(bytes.rawSpan) }
}

/// A value whose mutating calls may stand inside `#expect`.
@dynamicMemberLookup
final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }

  subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member { value[keyPath: path] }
}

extension Box where Value == TURNStreamFramer {
  func append(_ bytes: [UInt8]) { value.append(bytes.rawSpan) }
  func next() -> [UInt8]? { value.next() }
}

extension Box where Value == LongTermAuthentication {
  func accept(challenge: STUNMessage) -> Bool { value.accept(challenge: challenge) }
}
