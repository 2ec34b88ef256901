#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A finished download.
public struct DownloadResult: Sendable, Hashable {
  /// The file.
  public let path: URL
  /// Its size.
  public let bytes: Int
  /// How many segments it was made of, the init segment included.
  public let segments: Int

  package init(path: URL, bytes: Int, segments: Int) {
    self.path = path
    self.bytes = bytes
    self.segments = segments
  }
}

/// How far a download is.
public struct DownloadProgress: Sendable, Hashable {
  /// Segments written, the init segment included.
  public let done: Int
  /// Segments in all.
  public let total: Int
  /// 0…1; 0 when there is nothing to do.
  public var fraction: Double { total > 0 ? Double(done) / Double(total) : 0 }

  package init(done: Int, total: Int) {
    self.done = done
    self.total = total
  }
}
