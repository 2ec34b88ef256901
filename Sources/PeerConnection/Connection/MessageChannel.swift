import SCTP
import WireFormat

/// A data channel as the connection sees it: its label, and the platform's chunking where negotiated.
struct MessageChannel {
  let id: DataChannelID
  let label: String
  var isOpen = false
  var chunker: MessageChunker?
  var reassembler: MessageReassembler?
  /// Messages of which fragments are still to be handed to the association, in order.
  var sending = FIFO<MessageChunker.Fragments>()
  /// The message of which some fragments have been handed over.
  var current: MessageChunker.Fragments?
  /// Payload bytes of all of these that are still here.
  var sendingBytes = 0
  /// Why this side closed it, when the peer broke the framing.
  var failure: ChunkingError?
}
