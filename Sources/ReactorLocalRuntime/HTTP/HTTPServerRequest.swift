/// A request that has arrived whole.
struct HTTPServerRequest: Sendable {
  let method: String
  /// The path, percent-decoded, without the query.
  let path: String
  let query: [String: String]
  /// Names in lower case; of repeated ones the last.
  let headers: [String: String]
  let body: [UInt8]

  /// The path's components: `/a/b` is `["a", "b"]`.
  var components: [String] { path.split(separator: "/").map(String.init) }
}
