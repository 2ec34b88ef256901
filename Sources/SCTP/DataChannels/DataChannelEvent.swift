/// What the data channel transport reports.
package enum DataChannelEvent: Sendable {
  /// The association is up; every channel opened so far follows with ``channelOpened(_:)``.
  case established
  /// A channel can be used: one of ours (its OPEN is on its way), or one that the other side opened.
  case channelOpened(OpenedDataChannel)
  case message(DataChannelID, bytes: [UInt8], isText: Bool)
  case bufferedAmountLow(DataChannelID)
  case channelClosed(DataChannelID, reason: DataChannelCloseReason)
  /// The association is gone and every channel with it (each was reported before).
  case closed(AssociationCloseReason)
}

/// A channel that has become usable.
package struct OpenedDataChannel: Hashable, Sendable {
  package let id: DataChannelID
  package let streamID: UInt16
  package let label: String
  package let options: DataChannelOptions
  /// Whether the other side opened it.
  package let isRemote: Bool
}

/// Why a channel ended.
package enum DataChannelCloseReason: Hashable, Sendable {
  case closedLocally
  case closedByPeer
  case transportClosed
  /// The other side's message exceeded our `a=max-message-size`.
  case messageTooLarge(limit: Int)
  /// No stream identifier could be had once the roles were known, or the peer has fewer streams.
  case noFreeStream
}
