/// Removes credentials from text that people will read: error messages, bodies of answers, logs.
///
/// What goes: API keys (`rk_…`), JWTs (`eyJ…`), what follows `Bearer`, and query strings of URLs, which is where
/// presigned URLs carry their signature. Linear in the length of the text.
package enum Redaction {
  package static let mark = "[redacted]"

  /// `text` without credentials; also without each of `secrets` (tokens known to the caller).
  package static func redact(_ text: String, secrets: [String] = []) -> String {
    var cleaned = text
    for secret in secrets where secret.utf8.count >= 4 {
      cleaned = replaceAll(secret, in: cleaned)
    }
    var result: [UInt8] = []
    let bytes = Array(cleaned.utf8)
    var index = 0
    while index < bytes.count {
      if isWord(bytes[index]) {
        let end = wordEnd(bytes, from: index)
        let word = bytes[index..<end]
        if isSecret(word) {
          result.append(contentsOf: mark.utf8)
        } else if isBearer(word), let next = secretAfterBearer(bytes, from: end) {
          result.append(contentsOf: word)
          result.append(contentsOf: " \(mark)".utf8)
          index = next
          continue
        } else {
          result.append(contentsOf: word)
        }
        index = end
      } else if bytes[index] == UInt8(ascii: "?"), let end = queryEnd(bytes, from: index &+ 1) {
        result.append(contentsOf: "?\(mark)".utf8)
        index = end
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// `value` with all its strings redacted, and members that are credentials by their name replaced.
  package static func redact(_ value: JSONValue, secrets: [String] = [], depth: Int = 64) -> JSONValue {
    guard depth > 0 else { return .string(mark) }
    switch value {
    case .string(let text): return .string(redact(text, secrets: secrets))
    case .array(let elements):
      return .array(elements.map { redact($0, secrets: secrets, depth: depth - 1) })
    case .object(let members):
      var cleaned: [String: JSONValue] = [:]
      for (key, member) in members {
        cleaned[redact(key, secrets: secrets)] =
          isCredential(key) ? .string(mark) : redact(member, secrets: secrets, depth: depth - 1)
      }
      return .object(cleaned)
    case .number, .bool, .null: return value
    }
  }

  /// Whether a member or header of this name holds a credential.
  package static func isCredential(_ name: String) -> Bool {
    let key = String(name.lowercased().map { $0 == "-" ? "_" : $0 })
    return [
      "jwt", "token", "access_token", "refresh_token", "authorization", "api_key", "apikey",
      "reactor_api_key",
      "password", "secret", "credential", "credentials", "presigned_url", "cookie", "set_cookie", "pwd",
      "ice_pwd",
    ].contains(key)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "+"), UInt8(ascii: "="), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func wordEnd(_ bytes: [UInt8], from start: Int) -> Int {
    var end = start
    while end < bytes.count, isWord(bytes[end]) { end += 1 }
    return end
  }

  private static func isSecret(_ word: ArraySlice<UInt8>) -> Bool {
    (word.count >= 6 && word.starts(with: "rk_".utf8)) || (word.count >= 12 && word.starts(with: "eyJ".utf8))
      || contains(word, "eyJ", minimum: 20) || contains(word, "rk_", minimum: 8)
  }

  // A secret glued to a name (`token=eyJ…`) is one word here, because `=` may stand inside base64.
  private static func contains(_ word: ArraySlice<UInt8>, _ start: String, minimum: Int) -> Bool {
    guard word.count >= minimum else { return false }
    let pattern = Array(start.utf8)
    var index = word.startIndex
    while index + pattern.count <= word.endIndex {
      let atBoundary = index == word.startIndex || word[index - 1] == UInt8(ascii: "=")
      if atBoundary, word[index...].starts(with: pattern), word.endIndex - index >= 6 { return true }
      index += 1
    }
    return false
  }

  private static func isBearer(_ word: ArraySlice<UInt8>) -> Bool {
    word.count == 6 && String(decoding: word, as: UTF8.self).lowercased() == "bearer"
  }

  private static func secretAfterBearer(_ bytes: [UInt8], from end: Int) -> Int? {
    var start = end
    while start < bytes.count, bytes[start] == 0x20 || bytes[start] == UInt8(ascii: ":") { start += 1 }
    guard start > end, start < bytes.count else { return nil }
    var stop = start
    while stop < bytes.count, isWord(bytes[stop]) || bytes[stop] == UInt8(ascii: "/") { stop += 1 }
    return stop - start >= 8 ? stop : nil
  }

  // A query is recognised by an equals sign before the next blank or quote.
  private static func queryEnd(_ bytes: [UInt8], from start: Int) -> Int? {
    var end = start
    var hasPair = false
    while end < bytes.count {
      let byte = bytes[end]
      if byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "<")
        || byte == UInt8(ascii: ">")
      {
        break
      }
      if byte == UInt8(ascii: "=") { hasPair = true }
      end += 1
    }
    return hasPair ? end : nil
  }

  private static func replaceAll(_ secret: String, in text: String) -> String {
    let pattern = Array(secret.utf8)
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == pattern[0], bytes[index...].starts(with: pattern) {
        result.append(contentsOf: mark.utf8)
        index += pattern.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
