#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import ReactorTypes
import Signaling

extension Reactor {
  /// Asks for a recording of the last `duration`. What comes back is an accepted request, not yet a file.
  ///
  /// Throws ``ReactorError/badRequest`` for a duration that is not above zero; ``ReactorError/invalidState``
  /// unless ready; ``ReactorError/requestTimeout``; ``ReactorError/recorderDisabled``.
  public final func requestClip(_ duration: Duration) async throws -> Clip {
    let parts = duration.components
    return try await client.requestClip(seconds: Double(parts.seconds) + Double(parts.attoseconds) * 1e-18)
  }

  /// Asks for the recording of the whole session. Throws as ``requestClip(_:)`` does.
  public final func requestRecording() async throws -> Clip {
    try await client.requestClip(seconds: nil)
  }

  /// Waits until the clip's media is stored and writes it to a file (fragmented MP4).
  ///
  /// The file is written beside `url` and renamed when it is whole; nothing partial is left behind.
  ///
  /// - Parameters:
  ///   - clip: what ``requestClip(_:)`` or ``requestRecording()`` gave.
  ///   - url: where the file goes; its folder must exist, a file that is there is replaced.
  ///   - readyTimeout: grace past the clip's predicted time; nil: as long as this session can still produce
  ///     the media.
  ///   - progress: called after each segment, on the download's own task.
  ///
  /// Throws ``ReactorError/requestTimeout`` when the media does not come in time; ``ReactorError/invalidState``
  /// when it can no longer come; ``ReactorError/notFound`` when it is gone.
  @discardableResult
  public final func download(
    _ clip: Clip, to url: URL, readyTimeout: Duration? = nil,
    progress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) async throws -> DownloadResult {
    try await client.download(clip, to: url, readyTimeout: readyTimeout, progress: progress)
  }

  /// Opens a clip for reading piece by piece. Throws as ``download(_:to:readyTimeout:progress:)`` does.
  public final func openDownload(
    _ clip: Clip, readyTimeout: Duration? = nil, options: RequestOptions = RequestOptions()
  ) async throws -> ClipDownload {
    let download = try await client.openDownload(clip, readyTimeout: readyTimeout, options: options)
    return ClipDownload(download, closingWith: client.events)
  }
}
