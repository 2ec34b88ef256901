import Foundation
import ReactorTypes
import Signaling
import Testing
import WireFormat

@Suite struct UploadTests {
  private func transport(_ url: String) -> StubTransport {
    StubTransport { request, _ in
      request.method == "POST"
        ? .answer(201, #"{"presigned_id":"a36d","presigned_url":"\#(url)"}"#) : .answer(200)
    }
  }

  @Test func `bytes go to the presigned URL without any authorization`() async throws {
    let stub = transport("https://storage.test/b/k?X-Amz-Signature=abc")
    var defaults = RequestOptions()
    defaults.headers = ["X-Mine": "1"]
    let file = try await makeClient(stub, defaults: defaults).upload(
      Data("hello".utf8), name: "p.png", mimeType: "image/png", session: "s")
    #expect(file == FileRef(uploadID: "a36d", name: "p.png", mimeType: "image/png", size: 5))
    #expect(
      try JSONValue(parsing: [UInt8](stub.requests[0].body ?? Data())) == [
        "name": "p.png", "size": 5, "mime_type": "image/png",
      ])
    let put = stub.requests[1]
    #expect(put.url.absoluteString == "https://storage.test/b/k?X-Amz-Signature=abc")
    #expect(put.headers == ["Content-Type": "image/png"] && put.body == Data("hello".utf8))
  }

  @Test func `a local runtime that names itself localhost is reached where the client reached it`()
    async throws
  {
    let stub = transport("http://localhost:8080/uploads/a36d")
    _ = try await makeClient(stub, local: true, url: "http://10.0.0.7:9000").upload(
      Data([1]), name: "x", mimeType: "a/b", session: "s")
    #expect(stub.requests[1].url.absoluteString == "http://10.0.0.7:9000/uploads/a36d")
  }

  @Test func `a file is named and typed by itself, an empty or missing one is refused`() async throws {
    let stub = transport("https://storage.test/k")
    let client = try makeClient(stub)
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "reactor-up-\(UInt64.random(in: 0...(.max)))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let picture = folder.appending(path: "Picture.JPEG")
    try Data([1, 2, 3]).write(to: picture)
    let file = try await client.upload(file: picture, session: "s")
    #expect(file == FileRef(uploadID: "a36d", name: "Picture.JPEG", mimeType: "image/jpeg", size: 3))
    #expect(
      stub.requests[1].body == Data([1, 2, 3]) && stub.requests[1].headers["Content-Type"] == "image/jpeg")
    let empty = folder.appending(path: "empty")
    try Data().write(to: empty)
    for url in [empty, folder, folder.appending(path: "none"), URL(string: "https://x.test/f") ?? folder] {
      do {
        _ = try await client.upload(file: url, session: "s")
        Issue.record("accepted \(url)")
      } catch {
        #expect(error.reactorError(operation: "upload_file").code == .badRequest)
      }
    }
    #expect(stub.requests.count == 2)
    #expect(MIMEType.guess(fileName: "noextension") == "application/octet-stream")
    await #expect(throws: SignalingError.self) {
      _ = try await client.upload(Data([1]), name: "x", mimeType: "a/b\r\nX: y", session: "s")
    }
  }

  @Test func `a failed presigned upload says nothing of its signature`() async throws {
    let stub = StubTransport { request, _ in
      request.method == "POST"
        ? .answer(
          201, #"{"presigned_id":"a","presigned_url":"https://storage.test/k?X-Amz-Signature=abcdef"}"#)
        : .answer(403, "<Error>https://storage.test/k?X-Amz-Signature=abcdef expired</Error>")
    }
    do {
      _ = try await makeClient(stub).upload(Data([1]), name: "x", mimeType: "a/b", session: "s")
      Issue.record("accepted")
    } catch let error as SignalingError {
      let text = "\(error) \(error.reactorError(operation: nil))"
      #expect(!text.contains("abcdef") && text.contains("presigned upload"))
    }
  }
}
