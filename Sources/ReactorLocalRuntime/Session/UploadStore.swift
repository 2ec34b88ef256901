import Synchronization

/// Files that clients upload, kept in memory until the session ends.
final class UploadStore: Sendable {
  /// Bytes kept in all; further uploads are refused.
  static let byteLimit = 512 << 20
  /// Uploads announced and not ended.
  static let countLimit = 1024

  enum Outcome {
    case stored
    case unknown
    case alreadyThere
    case wrongSize(expected: Int)
  }

  private struct Upload {
    let size: Int
    var bytes: [UInt8]?
  }

  private struct State {
    var uploads: [String: Upload] = [:]
    var total = 0
  }

  private let state = Mutex(State())

  /// False when there is no room for it.
  func announce(_ id: String, size: Int) -> Bool {
    state.withLock { state in
      guard state.uploads.count < UploadStore.countLimit, state.total + size <= UploadStore.byteLimit,
        state.uploads[id] == nil
      else { return false }
      state.total += size
      state.uploads[id] = Upload(size: size)
      return true
    }
  }

  func store(_ bytes: [UInt8], as id: String) -> Outcome {
    state.withLock { state in
      guard let upload = state.uploads[id] else { return .unknown }
      guard upload.bytes == nil else { return .alreadyThere }
      guard bytes.count == upload.size else { return .wrongSize(expected: upload.size) }
      state.uploads[id]?.bytes = bytes
      return .stored
    }
  }

  /// The bytes of an upload, waiting for them if they are still on their way; nil when they do not come.
  func bytes(_ id: String, patience: Duration) async -> [UInt8]? {
    let deadline = ContinuousClock.now + patience
    while true {
      let found = state.withLock { $0.uploads[id]?.bytes }
      if let found { return found }
      guard ContinuousClock.now < deadline, (try? await Task.sleep(for: .milliseconds(20))) != nil else {
        return nil
      }
    }
  }

  func removeAll() {
    state.withLock { $0 = State() }
  }
}
