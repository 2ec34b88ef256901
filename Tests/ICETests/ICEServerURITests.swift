import ICE
import Testing

struct ICEServerURITests {
  @Test(arguments: [
    ("stun:example.org", "stun:example.org:3478"),
    ("stun:example.org:1234", "stun:example.org:1234"),
    ("STUN:example.org", "stun:example.org:3478"),
    ("stuns:example.org", "stuns:example.org:5349"),
    ("turn:192.0.2.1:3478?transport=udp", "turn:192.0.2.1:3478?transport=udp"),
    ("turn:example.org?transport=TCP", "turn:example.org:3478?transport=tcp"),
    ("turn:example.org", "turn:example.org:3478?transport=udp"),
    ("turns:example.org", "turns:example.org:5349?transport=tcp"),
    ("turns:example.org:443?transport=tcp", "turns:example.org:443?transport=tcp"),
    ("turn://192.0.2.1:3478", "turn:192.0.2.1:3478?transport=udp"),
    ("stun:[2001:db8::1]", "stun:[2001:db8::1]:3478"),
    ("turn:[2001:DB8::1]:99?transport=tcp", "turn:[2001:db8::1]:99?transport=tcp"),
  ])
  func `URIs parse to what they mean`(_ text: String, _ meaning: String) throws {
    #expect(try ICEServerURI(text).description == meaning)
  }

  @Test(arguments: [
    ("", ICEServerURIError.missingScheme), ("example.org", .missingScheme),
    ("http:example.org", .unknownScheme("http")), (":example.org", .unknownScheme("")),
    ("stun:", .missingHost), ("stun://", .missingHost), ("turn::3478", .missingHost),
    ("turn:?transport=udp", .missingHost), ("stun:exa mple", .invalidHost),
    ("turn:user@example.org", .invalidHost),
    ("stun:example.org/path", .invalidHost), ("stun:2001:db8::1", .invalidHost),
    ("stun:[192.0.2.1]", .invalidHost),
    ("stun:[2001:db8::1", .invalidHost), ("stun:[2001:db8::1]x", .invalidHost), ("stun:[]", .invalidHost),
    ("stun:example.org:", .invalidPort), ("stun:example.org:0", .invalidPort),
    ("stun:example.org:65536", .invalidPort), ("stun:example.org:+1", .invalidPort),
    ("stun:example.org:1x", .invalidPort), ("stun:example.org?transport=udp", .unexpectedQuery),
    ("turn:example.org?", .unexpectedQuery), ("turn:example.org?proto=udp", .unexpectedQuery),
    ("turn:example.org?transport=udp&a=b", .unexpectedQuery),
    ("turn:example.org?transport=sctp", .unknownTransport),
    ("turn:example.org?transport=", .unknownTransport),
  ])
  func `malformed URIs say what is wrong`(_ text: String, _ error: ICEServerURIError) {
    #expect(throws: error) { try ICEServerURI(text) }
  }
}
