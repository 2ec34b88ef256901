import ReactorTypes
import WireFormat

/// The platform's HTTP interface over a ``RuntimeHost``: the local variant and the coordinator's.
struct RuntimeRoutes: Sendable {
  let host: RuntimeHost

  func handle(_ request: HTTPServerRequest) async -> HTTPServerResponse {
    if request.method == "OPTIONS" { return cors(HTTPServerResponse(status: 204)) }
    do {
      return cors(try await route(request))
    } catch let refusal as RuntimeHost.Refusal {
      return cors(json(refusal.status, ["detail": .string(refusal.detail)]))
    } catch {
      return cors(json(422, ["detail": [["msg": "the body is not what this call takes"]]]))
    }
  }

  private func route(_ request: HTTPServerRequest) async throws -> HTTPServerResponse {
    let path = request.components
    switch (request.method, path.first, path.count) {
    case ("POST", "start_session", 1): return json(200, try await host.start())
    case ("POST", "stop_session", 1):
      let body = request.body.isEmpty ? [:] : try JSONValue(parsing: request.body)
      try await host.stop(
        reason: body["reason"]?.stringValue, isModeration: body["moderate"]?.boolValue ?? false)
      return HTTPServerResponse(status: 200)
    case ("GET", "session", 1): return json(200, await host.description)
    case ("GET", "schema", 1): return json(200, SchemaDocument.make(host.model))
    case ("GET", "health", 1):
      return json(200, ["status": "healthy", "state": "available", "detail": nil])
    case ("POST", "tokens", 1): return try token(request)
    case ("POST", "sessions", 1):
      return json(201, try await host.start(id: RuntimeRoutes.uuid()))
    case ("GET", "sessions", 2):
      try await host.requireSession(path[1])
      return json(200, await host.description)
    case ("DELETE", "sessions", 2):
      guard await host.isRunning(path[1]) else { throw RuntimeHost.Refusal(404, "Unknown session") }
      try await host.stop(reason: nil)
      return HTTPServerResponse(status: 204)
    case ("PUT", "uploads", 2): return try store(request, path[1])
    case (_, "sessions", 3...):
      try await host.requireSession(path[1])
      return try await inSession(request, Array(path.dropFirst(2)))
    default: throw RuntimeHost.Refusal(404, "Not Found")
    }
  }

  /// Routes below `/sessions/{id}`.
  private func inSession(_ request: HTTPServerRequest, _ path: [String]) async throws -> HTTPServerResponse {
    switch (request.method, path.count, path.first) {
    case ("POST", 1, "uploads"): return try createUpload(request)
    case ("GET", 3, "transport") where path[2] == "ice_servers": return json(200, ["ice_servers": []])
    case ("POST", 3, "transport") where path[2] == "connections":
      let id = try await host.register()
      return json(201, ["connection_id": .number(Double(id)), "track_map": [:]])
    case (_, 5, "transport") where path[2] == "connections":
      guard let id = UInt32(path[3]) else { throw RuntimeHost.Refusal(422, "connection id out of range") }
      return try await inConnection(request, id, path[4])
    default: throw RuntimeHost.Refusal(404, "Not Found")
    }
  }

  private func inConnection(
    _ request: HTTPServerRequest, _ id: UInt32, _ resource: String
  ) async throws -> HTTPServerResponse {
    let number = JSONValue.number(Double(id))
    switch (request.method, resource) {
    case ("POST", "sdp_params"), ("PUT", "sdp_params"):
      let body = try JSONValue(parsing: request.body)
      guard let offer = body["sdp_offer"]?.stringValue else {
        throw RuntimeHost.Refusal(422, "sdp_offer is required")
      }
      var mapping: [String: String] = [:]
      for entry in body["track_mapping"]?.arrayValue ?? [] {
        guard let mid = entry["mid"]?.stringValue, let name = entry["name"]?.stringValue else {
          throw RuntimeHost.Refusal(422, "a track mapping needs mid and name as strings")
        }
        mapping[mid] = name
      }
      try await host.offer(offer, mapping: mapping, connection: id)
      return json(202, ["connection_id": number])
    case ("GET", "sdp_params"):
      guard let answer = await host.takeAnswer(id) else { return HTTPServerResponse(status: 202) }
      return json(200, ["sdp_answer": .string(answer), "connection_id": number])
    case ("POST", "ice_candidates"):
      let body = try JSONValue(parsing: request.body)
      let candidates = (body["candidates"]?.arrayValue ?? []).compactMap { $0["candidate"]?.stringValue }
      await host.addCandidates(candidates, connection: id)
      return HTTPServerResponse(status: 202)
    default: throw RuntimeHost.Refusal(404, "Not Found")
    }
  }

  // MARK: Uploads and tokens

  private func createUpload(_ request: HTTPServerRequest) throws -> HTTPServerResponse {
    let body = try JSONValue(parsing: request.body)
    guard let name = body["name"]?.stringValue, !name.isEmpty else {
      throw RuntimeHost.Refusal(400, "name is required")
    }
    guard let type = body["mime_type"]?.stringValue, !type.isEmpty else {
      throw RuntimeHost.Refusal(400, "mime_type is required")
    }
    guard let size = body["size"]?.intValue, size > 0 else {
      throw RuntimeHost.Refusal(400, "size must be > 0")
    }
    let id = RuntimeRoutes.uuid()
    guard host.uploads.announce(id, size: size) else {
      throw RuntimeHost.Refusal(413, "no room for this upload")
    }
    let origin = request.headers["host"] ?? "127.0.0.1"
    return json(
      201,
      [
        "presigned_id": .string(id), "presigned_url": .string("http://\(origin)/uploads/\(id)"),
        "path": .string("uploads/\(id)"),
      ])
  }

  private func store(_ request: HTTPServerRequest, _ id: String) throws -> HTTPServerResponse {
    switch host.uploads.store(request.body, as: id) {
    case .stored: return HTTPServerResponse(status: 200)
    case .unknown: throw RuntimeHost.Refusal(404, "unknown upload")
    case .alreadyThere: throw RuntimeHost.Refusal(409, "already uploaded")
    case .wrongSize(let expected):
      throw RuntimeHost.Refusal(400, "expected \(expected) bytes, got \(request.body.count)")
    }
  }

  /// Any key that looks like one is exchanged: there is nobody to protect here.
  private func token(_ request: HTTPServerRequest) throws -> HTTPServerResponse {
    guard let key = request.headers["reactor-api-key"], key.hasPrefix("rk_") else {
      throw RuntimeHost.Refusal(401, "an API key starts with rk_")
    }
    return json(200, ["jwt": "local-token"])
  }

  // MARK: Answers

  private func json(_ status: Int, _ value: JSONValue) -> HTTPServerResponse {
    let body = (try? value.jsonBytes()) ?? []
    return HTTPServerResponse(status: status, headers: ["Content-Type": "application/json"], body: body)
  }

  private func cors(_ response: HTTPServerResponse) -> HTTPServerResponse {
    var result = response
    result.headers["Access-Control-Allow-Origin"] = "*"
    result.headers["Access-Control-Allow-Headers"] = "*"
    result.headers["Access-Control-Allow-Methods"] = "GET, POST, PUT, DELETE"
    return result
  }

  /// A random UUID (RFC 9562 section 5.4).
  private static func uuid() -> String {
    var random = RandomSource.system
    var bytes = random.bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }.joined()
    var result = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { result.append("-") }
      result.append(digit)
    }
    return result
  }
}
