import Foundation
import ReactorTypes
import Signaling

/// A clip that is ready, to be read piece by piece: one chunk (64 KiB) is in memory at a time.
public final class ClipDownload: Sendable {
  private let download: SegmentedDownload
  private let closing: CloseAction

  init(_ download: SegmentedDownload, closingWith events: EventHub) {
    self.download = download
    closing = events.onClose { [weak download] in download?.close() }
  }

  deinit {
    download.close()
  }

  /// How many segments it is made of, the init segment included.
  public final var segments: Int { download.segments }

  /// What the bytes are: `video/mp4`.
  public final var contentType: String { download.contentType }

  /// All bytes.
  ///
  /// Throws ``ReactorError/messageTooLarge`` when there are more than `maxBytes`; nothing is returned then.
  public final func readAll(maxBytes: Int) async throws -> Data {
    do { return try await download.readAll(maxBytes: maxBytes) } catch { throw failure(error) }
  }

  /// Writes all bytes to an open file. Returns how many there were.
  public final func copy(to handle: FileHandle) async throws -> Int {
    try await copy { chunk in try handle.write(contentsOf: chunk) }
  }

  /// Hands each chunk to `sink`, which holds the download back while it works. Returns how many bytes there
  /// were.
  public final func copy(to sink: @Sendable (Data) async throws -> Void) async throws -> Int {
    do { return try await download.copy(to: sink) } catch { throw failure(error) }
  }

  /// The bytes as a stream that can be closed.
  public final func chunks() -> StreamScope<Data> { download.chunks() }

  /// Ends all reading. Idempotent.
  public final func close() {
    download.close()
  }

  private func failure(_ error: any Error) -> any Error {
    error is SignalingError ? ReactorError.from(error, operation: "download_clip") : error
  }
}
