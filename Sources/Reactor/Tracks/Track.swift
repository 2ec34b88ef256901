#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import ReactorTypes

/// One track of a session: a stream of pictures or sound to or from the model.
///
/// There is one object a name for a client's life; its handlers survive a reconnect. A track holds its client
/// weakly. All members may be used from any thread.
public final class Track: Sendable, CustomStringConvertible {
  /// The name that the model gave it.
  public let name: String
  private let owner: WeakClient

  init(name: String, client: WeakClient) {
    self.name = name
    owner = client
  }

  // MARK: State

  /// What it carries; nil before the session has declared it.
  public final var kind: TrackKind? { owner.client?.tracks.declaration(name)?.kind }

  /// Which way it goes, seen from here; nil before the session has declared it.
  public final var direction: TrackDirection? { owner.client?.tracks.declaration(name)?.direction }

  /// The media section that carries it; nil while there is no connection.
  public final var mid: String? { owner.client?.tracks.mid(name) }

  /// Whether ``pause()`` is in force.
  public final var paused: Bool { owner.client?.tracks.isPaused(name) ?? false }

  /// Whether frames may be pushed: ``publish()`` was granted on the present connection.
  public final var published: Bool { owner.client?.tracks.publication(name) == .published }

  /// The name with kind and direction, for logs.
  public final var description: String {
    let kind = kind?.rawValue ?? "undeclared"
    return "Track(\(name), \(kind)\(direction.map { ", \($0.rawValue)" } ?? ""))"
  }

  // MARK: Publishing

  /// Asks the runtime for the track's slot, and waits for its answer (at most 10 s).
  ///
  /// Publishing a published track again does nothing. Throws ``ReactorError/invalidState`` on a recvonly track,
  /// while another `publish()` waits, or unless the client is ready; ``ReactorError/requestTimeout``;
  /// ``ReactorError/disconnected`` when the connection went meanwhile; the runtime's own code when it refuses
  /// (another client holds the slot).
  public final func publish() async throws {
    try await client("publish").publish(name)
  }

  /// Gives the slot back. There is no answer to wait for.
  ///
  /// Throws ``ReactorError/invalidState`` when the notice cannot be sent; the track then stays published, so
  /// that another call may succeed.
  public final func unpublish() throws {
    try client("unpublish").unpublish(name)
  }

  /// Stops the track for this client. The model generates nothing for a paused recvonly track; on a sendonly
  /// track pushes are refused meanwhile.
  ///
  /// Throws ``ReactorError/invalidState`` unless the client is ready.
  public final func pause() async throws {
    try await client("pause_track").setPaused(true, name)
  }

  /// Takes up a paused track again. Recvonly tracks are resumed by themselves at connect and reconnect.
  ///
  /// Throws ``ReactorError/invalidState`` unless the client is ready.
  public final func resume() async throws {
    try await client("resume_track").setPaused(false, name)
  }

  /// Bounds of this sender's bitrate, in bits per second; nil leaves one at its default. The connection's
  /// bounds (``Reactor/setBitrate(minBPS:startBPS:maxBPS:)``) hold as well. Remembered over reconnects, and
  /// callable at any time.
  ///
  /// The default maximum follows the size of the pushed pictures: 0.7 Mbit/s up to 320 × 180, 2 up to
  /// 640 × 360, 3.5 up to 960 × 540, 5 up to 1280 × 720, 9 up to 1920 × 1080, 15 above.
  ///
  /// Throws ``ReactorError/badRequest`` for a negative bound or a minimum above the maximum, and
  /// ``ReactorError/invalidState`` on a recvonly track.
  public final func setBitrate(minBPS: Int? = nil, maxBPS: Int? = nil) async throws {
    try await client("set_bitrate").setTrackBitrate(name, minBPS: minBPS, maxBPS: maxBPS)
  }

  // MARK: Pushing

  /// Sends a picture: converts it once, on the caller's thread, and returns. Never waits; a picture that comes
  /// while the encoder is busy replaces the one that waits.
  ///
  /// - Parameters:
  ///   - pixels: BGRA, exactly `width × height × 4` bytes, rows without padding.
  ///   - width: in pixels.
  ///   - height: in pixels.
  ///   - userData: travels with the frame as its tag; dropped silently unless the runtime reads tags.
  ///   - captureTimeUs: a reading of ``Reactor/timeMicros()``; nil: now. Equal values on several tracks tell
  ///     the far end that they show one moment.
  ///
  /// Throws ``ReactorError/badRequest`` for a wrong length or size; ``ReactorError/invalidState`` when the
  /// track is recvonly, not published, paused or of another kind, or the client is not ready.
  public final func pushFrame(
    _ pixels: Data, width: UInt32, height: UInt32, userData: Data? = nil, captureTimeUs: Int64? = nil
  ) throws {
    try pixels.withUnsafeBytes { bytes in
      try client("pushFrame").push(
        bytes, width: width, height: height, userData: userData.map { [UInt8]($0) },
        captureTimeUs: captureTimeUs, on: name)
    }
  }

  /// The same for borrowed memory, which is read before this returns.
  public final func pushFrame(
    _ pixels: UnsafeRawBufferPointer, width: UInt32, height: UInt32, userData: UnsafeRawBufferPointer? = nil,
    captureTimeUs: Int64? = nil
  ) throws {
    try client("pushFrame").push(
      pixels, width: width, height: height, userData: userData.map { [UInt8]($0) },
      captureTimeUs: captureTimeUs, on: name)
  }

  /// Sends sound, of any length: it is resampled to 48 kHz and cut into packets here. Pace the calls at the
  /// capture rate; gaps are filled with silence.
  ///
  /// - Parameters:
  ///   - samples: interleaved; a multiple of `channels`.
  ///   - sampleRate: 8 000, 16 000, 24 000, 32 000, 44 100 or 48 000 Hz.
  ///   - channels: 1 or 2.
  ///
  /// Throws ``ReactorError/badRequest`` for another rate, layout or count; ``ReactorError/invalidState`` as for
  /// pictures.
  public final func pushFrame(_ samples: [Int16], sampleRate: UInt32 = 48000, channels: UInt32 = 1) throws {
    try client("pushFrame").push(samples, sampleRate: sampleRate, channels: channels, on: name)
  }

  // MARK: Receiving

  /// Calls `handler` with each received picture, copied out.
  ///
  /// It runs on the client's frame threads, one call at a time a track. While it runs, newer pictures replace
  /// each other: the next call gets the newest. ``onRawFrame(_:)`` saves the copy.
  ///
  /// Throws ``ReactorError/invalidState`` when the track is sent from here, is declared as audio, or the client
  /// is gone.
  public final func onFrame(_ handler: @escaping @Sendable (VideoFrame) -> Void) throws -> Subscription {
    try client("onFrame").handlers(name, expecting: .video, operation: "onFrame").addCopied(handler)
  }

  /// Calls `handler` with ten milliseconds of sound at a time, 48 kHz.
  ///
  /// It runs on the client's frame threads. A short queue keeps what comes while it runs; when that is full,
  /// sound is lost and counted.
  ///
  /// Throws ``ReactorError/invalidState`` when the track is sent from here, is declared as video, or the client
  /// is gone.
  @_disfavoredOverload
  public final func onFrame(_ handler: @escaping @Sendable (AudioFrame) -> Void) throws -> Subscription {
    try client("onFrame").handlers(name, expecting: .audio, operation: "onFrame").addAudio(handler)
  }

  /// Calls `handler` with each received picture without copying it: the buffers are gone when it returns.
  ///
  /// Throws as ``onFrame(_:)-((VideoFrame)->Void)`` does.
  public final func onRawFrame(
    _ handler: @escaping @Sendable (borrowing RawVideoFrame) -> Void
  ) throws -> Subscription {
    try client("onRawFrame").handlers(name, expecting: .video, operation: "onRawFrame").addLent(handler)
  }

  func client(_ operation: String) throws -> Client {
    guard let client = owner.client else {
      throw ReactorError(.invalidState, "the client of track '\(name)' is gone", operation: operation)
    }
    try client.lifecycle.admitRegistration(operation)
    return client
  }
}
