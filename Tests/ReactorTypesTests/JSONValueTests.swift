import Foundation
import ReactorTypes
import Testing

@Suite struct JSONValueTests {
  @Test func `literals and accessors`() {
    let value: JSONValue = ["a": 1, "b": 2.5, "c": true, "d": nil, "e": ["x"], "f": ["g": "h"]]
    #expect(value["a"]?.intValue == 1 && value["b"]?.doubleValue == 2.5 && value["c"]?.boolValue == true)
    #expect(value["d"] == .null && value["e"]?.arrayValue == ["x"] && value["f"]?["g"]?.stringValue == "h")
    #expect(value["missing"] == nil && value["a"]?["b"] == nil && value.objectValue?.count == 6)
    #expect(value["c"]?.intValue == nil && value["a"]?.boolValue == nil)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1.5, 1e300, -1e19, 9.3e18])
  func `what is no Int has no intValue`(number: Double) {
    #expect(JSONValue.number(number).intValue == nil)
  }

  @Test func `of a repeated key in a literal the first counts`() {
    let value: JSONValue = ["a": 1, "a": 2]
    #expect(value == ["a": 1])
  }

  @Test func `JSONEncoder and JSONDecoder agree with the values`() throws {
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data("1".utf8)) == 1)
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data("true".utf8)) == true)
    #expect(String(decoding: try JSONEncoder().encode(JSONValue.number(20.0)), as: UTF8.self) == "20")
    #expect(throws: (any Error).self) { try JSONEncoder().encode(JSONValue.number(.nan)) }
    #expect(throws: (any Error).self) { try JSONDecoder().decode(JSONValue.self, from: Data("1e999".utf8)) }
  }

  @Test func `a reply decodes into the caller's own type, and says what is wrong otherwise`() throws {
    struct Point: Decodable, Equatable {
      var x: Int
      var y: Double
    }
    let reply = CommandReply(type: "moved", data: ["x": 3, "y": 0.5])
    #expect(try reply.decode(Point.self) == Point(x: 3, y: 0.5))
    for data: JSONValue? in [nil, .null, ["x": 1.5, "y": 0], "text"] {
      do {
        _ = try CommandReply(type: nil, data: data).decode(Point.self)
        Issue.record("decoded \(String(describing: data))")
      } catch ReactorError.decodeFailed {
      }
    }
  }

  @Test func `a file reference keeps what it does not know and compares what it does`() throws {
    let text = #"{"upload_id":"u","name":"n","mime_type":"m/x","size":3,"extra":{"deep":[1]}}"#
    let file = try JSONDecoder().decode(FileRef.self, from: Data(text.utf8))
    #expect(file == FileRef(uploadID: "u", name: "n", mimeType: "m/x", size: 3))
    #expect(file.extraFields == ["extra": ["deep": [1]]])
    #expect(try JSONValue(encoding: file) == JSONValue(parsing: text))
    for broken in [#"{"upload_id":"u"}"#, #"{"upload_id":"u","name":"n","mime_type":"m","size":1.5}"#, "[]"] {
      #expect(throws: (any Error).self) { try JSONDecoder().decode(FileRef.self, from: Data(broken.utf8)) }
    }
  }

  @Test func `capabilities keep order and unknown fields, and leave unknown tracks out`() throws {
    let json = try JSONValue(
      parsing: #"""
        {"protocol_version":"v0","tracks":[{"name":"b","kind":"video","direction":"sendonly"},
        {"name":"x","kind":"smell","direction":"recvonly"},{"name":"y","kind":"audio","direction":"sendrecv"},
        {"name":"a","kind":"audio","direction":"recvonly","rate":1}],"commands":[{"name":"go","schema":{}}],
        "emission_fps":null,"later":{"k":1}}
        """#)
    var skipped: [String] = []
    let capabilities = try #require(Capabilities(json: json, skippedTracks: &skipped))
    #expect(capabilities.tracks.map(\.name) == ["b", "a"])
    #expect(skipped == ["x", "y"])
    #expect(capabilities.emissionFPS == nil && capabilities.commands.map(\.name) == ["go"])
    #expect(capabilities.extraFields == ["later": ["k": 1]])
  }
}
