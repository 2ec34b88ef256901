/// What an association reports upwards.
package enum AssociationEvent: Sendable {
  case established
  /// The other side lost its state and began anew: streams and unsent messages of before are gone.
  case restarted
  case message(InboundMessage)
  /// A message on `stream` was longer than `localMaxMessageSize` and is being discarded.
  case messageTooLarge(stream: UInt16)
  /// What waits for sending on `stream` fell to its low-water mark.
  case bufferedAmountLow(stream: UInt16)
  /// The other side reset its outgoing streams: nothing more comes on them until they are used anew.
  case incomingStreamsReset([UInt16])
  /// Our outgoing streams are reset, so their identifiers may be used anew.
  case outgoingStreamsReset([UInt16])
  case closed(AssociationCloseReason)
}

/// A whole message as it was reassembled.
package struct InboundMessage: Sendable {
  package let stream: UInt16
  package let payloadProtocol: UInt32
  package let bytes: [UInt8]
}
