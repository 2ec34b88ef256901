#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import Media
import ReactorTypes
import Synchronization
import WireFormat

/// A picture that a client pushed to a model.
public struct LocalVideoFrame: Sendable {
  /// BGRA, `width` × `height` × 4 bytes.
  public let pixels: [UInt8]
  /// In pixels.
  public let width: Int
  /// In pixels.
  public let height: Int
  /// The client's tag; nil without one.
  public let userData: [UInt8]?
  /// Microseconds on the client's clock; 0 without one.
  public let captureTimeUs: UInt64
}

/// A running session, as its model sees it: where frames and messages go out, and what clients push comes in.
///
/// All members may be used from any thread, and none of them waits: a picture that comes while a client's encoder
/// is busy replaces the one that waits there.
public final class LocalSession: Sendable {
  private struct State {
    var clients: [RuntimeClient] = []
    var video: [String: LocalVideoFrame] = [:]
    var videoCount: [String: Int] = [:]
    var audio: [String: [Int16]] = [:]
  }

  /// Samples of an input track that wait for the model: one second. When full the oldest go.
  private static let audioLimit = 48_000

  private let state = Mutex(State())
  private let slots: PublisherSlots

  init(slots: PublisherSlots) {
    self.slots = slots
  }

  // MARK: Output

  /// Sends a picture on an output track to every client that takes it.
  ///
  /// - Parameters:
  ///   - pixels: BGRA, `width` × `height` × 4 bytes; another length costs this picture.
  ///   - width: in pixels.
  ///   - height: in pixels.
  ///   - track: the name of an output track.
  ///   - userData: the frame's tag.
  public func emit(
    _ pixels: [UInt8], width: Int, height: Int, on track: String, userData: [UInt8]? = nil
  ) {
    for client in clients where client.isResumed(track) {
      pixels.withUnsafeBytes { bytes in
        // A picture that cannot be encoded (a size of zero) is the model's mistake and costs that picture.
        try? client.live.videoSender(track)?.push(
          bgra: bytes, width: width, height: height, userData: userData)
      }
    }
  }

  /// Sends sound on an output track to every client that takes it.
  ///
  /// - Parameters:
  ///   - samples: interleaved; another count than a multiple of `channels` costs these samples.
  ///   - sampleRate: 8 000, 16 000, 24 000, 32 000, 44 100 or 48 000 Hz.
  ///   - channels: 1 or 2.
  ///   - track: the name of an output track.
  public func emit(_ samples: [Int16], sampleRate: Int = 48_000, channels: Int = 1, on track: String) {
    for client in clients where client.isResumed(track) {
      try? client.live.audioSender(track)?.push(samples, sampleRate: sampleRate, channels: channels)
    }
  }

  /// Sends a message to every client. One that is larger than a client takes is dropped for that client.
  public func send(_ message: LocalModelMessage) {
    for client in clients { client.sendSoon(message) }
  }

  /// How many clients are connected.
  public var clientCount: Int { clients.count }

  // MARK: Input

  /// The newest picture of an input track, and how many there have been; nil before the first.
  public func newestFrame(of track: String) -> (frame: LocalVideoFrame, count: Int)? {
    state.withLock { state in
      state.video[track].map { ($0, state.videoCount[track] ?? 0) }
    }
  }

  /// Whether a client has published an input track.
  public func isPublished(_ track: String) -> Bool { slots.isTaken(track) }

  /// Takes the samples of an input track that have come since the last call: 48 kHz, mono. At most the
  /// newest second is kept.
  public func takeSamples(of track: String) -> [Int16] {
    state.withLock { state in state.audio.removeValue(forKey: track) ?? [] }
  }

  func received(_ frame: borrowing ReceivedVideoFrame, on track: String) {
    let kept = LocalVideoFrame(
      pixels: [UInt8](frame.pixels), width: frame.width, height: frame.height,
      userData: frame.metadata?.userData,
      captureTimeUs: frame.metadata?.captureTimeUs ?? 0)
    state.withLock { state in
      state.video[track] = kept
      state.videoCount[track, default: 0] += 1
    }
  }

  func received(_ frame: borrowing ReceivedAudioFrame, on track: String) {
    let channels = max(1, frame.channels)
    let mono = stride(from: 0, to: frame.samples.count, by: channels).map { frame.samples[$0] }
    state.withLock { state in
      state.audio[track, default: []].append(contentsOf: mono)
      let excess = (state.audio[track]?.count ?? 0) - LocalSession.audioLimit
      if excess > 0 { state.audio[track]?.removeFirst(excess) }
    }
  }

  // MARK: Clients

  var clients: [RuntimeClient] { state.withLock { $0.clients } }

  func add(_ client: RuntimeClient) {
    state.withLock { $0.clients.append(client) }
  }

  func remove(_ client: RuntimeClient) {
    state.withLock { state in state.clients.removeAll { $0 === client } }
  }
}
