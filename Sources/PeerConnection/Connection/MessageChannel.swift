import SCTP
import WireFormat

/// A data channel as the connection sees it: its label, and the platform's chunking where it applies.
struct MessageChannel {
  let id: DataChannelID
  let label: String
  let options: DataChannelOptions
  var isOpen = false
  var chunker: MessageChunker?
  var reassembler: MessageReassembler?
  /// Messages of which fragments are still to be handed to the association, in order.
  var sending = FIFO<MessageChunker.Fragments>()
  /// The message of which some fragments have been handed over.
  var current: MessageChunker.Fragments?
  /// Payload bytes of all of these that are still here.
  var sendingBytes = 0
  /// This side closes it, as soon as what waits here has been handed over.
  var isClosing = false
  /// Why this side closed it, when the peer broke the framing.
  var failure: ChunkingError?

  /// Fragments make sense only where all arrive, in order: on other channels, peers send whole messages
  /// whatever was negotiated.
  var canCarryFragments: Bool { options.isOrdered && options.reliability == .full }

  /// Whether everything that was sent is the association's by now.
  var hasHandedOver: Bool { current == nil && sending.isEmpty }
}
