/// What the server answers.
struct HTTPServerResponse: Sendable {
  var status: Int
  var headers: [String: String]
  var body: [UInt8]

  init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
