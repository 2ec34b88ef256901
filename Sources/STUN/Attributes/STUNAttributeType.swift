/// Attribute numbers of the IANA registry "STUN Attributes".
package enum STUNAttributeType {
  package static let mappedAddress: UInt16 = 0x0001
  package static let username: UInt16 = 0x0006
  package static let messageIntegrity: UInt16 = 0x0008
  package static let errorCode: UInt16 = 0x0009
  package static let unknownAttributes: UInt16 = 0x000A
  package static let channelNumber: UInt16 = 0x000C
  package static let lifetime: UInt16 = 0x000D
  package static let xorPeerAddress: UInt16 = 0x0012
  package static let data: UInt16 = 0x0013
  package static let realm: UInt16 = 0x0014
  package static let nonce: UInt16 = 0x0015
  package static let xorRelayedAddress: UInt16 = 0x0016
  package static let requestedAddressFamily: UInt16 = 0x0017
  package static let evenPort: UInt16 = 0x0018
  package static let requestedTransport: UInt16 = 0x0019
  package static let dontFragment: UInt16 = 0x001A
  package static let messageIntegritySHA256: UInt16 = 0x001C
  package static let passwordAlgorithm: UInt16 = 0x001D
  package static let userHash: UInt16 = 0x001E
  package static let xorMappedAddress: UInt16 = 0x0020
  package static let reservationToken: UInt16 = 0x0022
  package static let priority: UInt16 = 0x0024
  package static let useCandidate: UInt16 = 0x0025
  package static let additionalAddressFamily: UInt16 = 0x8000
  package static let addressErrorCode: UInt16 = 0x8001
  package static let passwordAlgorithms: UInt16 = 0x8002
  package static let alternateDomain: UInt16 = 0x8003
  package static let icmp: UInt16 = 0x8004
  package static let software: UInt16 = 0x8022
  package static let alternateServer: UInt16 = 0x8023
  package static let fingerprint: UInt16 = 0x8028
  package static let iceControlled: UInt16 = 0x8029
  package static let iceControlling: UInt16 = 0x802A
  package static let responseOrigin: UInt16 = 0x802B
  package static let otherAddress: UInt16 = 0x802C
}
