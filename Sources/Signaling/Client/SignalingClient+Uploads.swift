#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import ReactorTypes
import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SignalingClient {
  /// Registers an upload and returns where its bytes go.
  package func createUpload(
    name: String, size: Int, mimeType: String, session id: String, options: RequestOptions = RequestOptions()
  ) async throws(SignalingError) -> UploadTicket {
    guard size > 0 else { throw SignalingError(.createUpload, .refused("the file is empty")) }
    let body: JSONValue = [
      "name": .string(name), "size": .number(Double(size)), "mime_type": .string(mimeType),
    ]
    let path = "/sessions/\(Endpoint.segment(id))/uploads"
    let answer = try json(
      try await runner.run(call(.createUpload, "POST", path, json: body, sessionID: id, options)),
      .createUpload)
    guard let uploadID = answer["presigned_id"]?.stringValue, !uploadID.isEmpty,
      let text = answer["presigned_url"]?.stringValue,
      let url = URL(string: text, relativeTo: endpoint.url("/"))?.absoluteURL,
      url.scheme == "http" || url.scheme == "https"
    else { throw SignalingError(.createUpload, .undecodable("the answer names no upload")) }
    return UploadTicket(id: uploadID, url: endpoint.isLocal ? endpoint.rebased(url) : url)
  }

  /// Uploads bytes from memory.
  package func upload(
    _ data: Data, name: String, mimeType: String, session id: String,
    options: RequestOptions = RequestOptions()
  ) async throws(SignalingError) -> FileRef {
    let mimeType = try checked(mimeType)
    let ticket = try await createUpload(
      name: name, size: data.count, mimeType: mimeType, session: id, options: options)
    var call = presigned(ticket, options)
    call.raw = (data, mimeType)
    _ = try await runner.run(call)
    return FileRef(uploadID: ticket.id, name: name, mimeType: mimeType, size: data.count)
  }

  /// Uploads a file, which is read as it is sent: it never lies in memory as a whole.
  ///
  /// - Parameters:
  ///   - name: nil: the file's own.
  ///   - mimeType: nil: guessed from the name.
  package func upload(
    file: URL, name: String? = nil, mimeType: String? = nil, session id: String,
    options: RequestOptions = RequestOptions()
  ) async throws(SignalingError) -> FileRef {
    let name = name ?? (file.lastPathComponent.isEmpty ? "upload" : file.lastPathComponent)
    let mimeType = try checked(mimeType ?? MIMEType.guess(fileName: name))
    guard file.isFileURL, let before = FileStamp(path: file.path) else {
      throw SignalingError(.createUpload, .refused("the file cannot be read"))
    }
    let ticket = try await createUpload(
      name: name, size: before.size, mimeType: mimeType, session: id, options: options)
    var call = presigned(ticket, options)
    call.headers["Content-Type"] = mimeType
    try await runner.upload(call, file: file)
    guard FileStamp(path: file.path) == before else {
      throw SignalingError(.presignedUpload, .refused("the file changed while it was sent"))
    }
    return FileRef(uploadID: ticket.id, name: name, mimeType: mimeType, size: before.size)
  }

  // A presigned URL carries its own signature, and its host refuses any other authorization. Extra members and
  // headers are for the platform, not for a storage host.
  private func presigned(_ ticket: UploadTicket, _ options: RequestOptions) -> Call {
    var own = options
    own.extraBody = [:]
    own.headers = [:]
    var call = Call(
      step: .presignedUpload, method: "PUT", url: ticket.url, authorization: .none, options: own)
    call.isForeign = true
    // Large bodies take their time: this is how long nothing may move.
    call.defaultTimeout = .seconds(60)
    return call
  }

  private func checked(_ mimeType: String) throws(SignalingError) -> String {
    guard !mimeType.isEmpty, CallRunner.isFieldValue(mimeType) else {
      throw SignalingError(.createUpload, .refused("the MIME type cannot be sent as a header"))
    }
    return mimeType
  }
}

/// What tells that a file was changed.
private struct FileStamp: Equatable {
  let size: Int
  let seconds: Int
  let nanoseconds: Int

  /// nil: no plain file that can be read.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0 else {
      return nil
    }
    size = Int(status.st_size)
    #if canImport(Darwin)
      seconds = status.st_mtimespec.tv_sec
      nanoseconds = status.st_mtimespec.tv_nsec
    #else
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    #endif
  }
}
