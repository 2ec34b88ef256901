import Foundation
import ReactorTypes

/// `interop-peer`: WebRTC connections of ours that a program drives by lines of JSON, to try them with the
/// connections of other stacks (Interop/libwebrtc, Interop/aiortc).
///
/// Each line on standard input is a call: an object with `call`, any `id`, mostly `peer` (a name of the
/// driver's choice for a connection), and arguments. Each gets one reply line, in order:
/// `{"id": …, "result": {…}}` or `{"id": …, "error": "why"}`. Events come between replies as they happen:
/// `{"event": "…", "peer": "…", …}`. The end of standard input, or `quit`, ends the program.
///
/// Calls (an argument in brackets may be left out):
/// - `create` peer [codecs: ["vp8", "vp9"] in order of preference] [chunking: bytes of the largest chunked
///   message, false for none] [messages: bytes of the largest plain message] [metadata: bool] [sctpInit: bool]
///   [loopback: bool, default true] [ports: [first, last]] [addresses: sockets at most] [cores: number]
/// - `offer` peer [tracks: [{name, kind: "video" or "audio", send: bool}]] [channels: [channel]] →
///   sdp, mids {name: mid}. A channel is {label [ordered: bool] [retransmits: number] [lifetime: ms]
///   [protocol: text] [stream: negotiated id]}. Labels tell channels apart.
/// - `answer` peer sdp [tracks: {mid: {name, kind, send}}] → sdp. Without `tracks` every section is taken and
///   named by its mid: received where the peer sends, else sent.
/// - `setAnswer` peer sdp. `restart` peer → sdp, an offer with new ICE credentials.
/// - `candidate` peer candidate: the value of `a=candidate`; empty at the end of candidates.
/// - `openChannel` peer, and a channel's members. `closeChannel` peer label.
/// - `send` peer label, and text, or size and seed of pseudo-random bytes → size, sha256. `echo` peer label
///   on: sends every message back as it came.
/// - `pictures` peer track [width 640] [height 360] [fps 30] [colour [r, g, b]] [time: bool, the capture time
///   goes along] [data: text; it goes along with the number of the picture behind it]: stripes that move, and
///   a patch of that colour in the middle ninth, until `stopPictures` peer track.
/// - `tone` peer track hertz [rate 48000] [channels 1], until `stopTone` peer track.
/// - `report` peer [spot: [x, y], fractions of the picture's size; default its middle] [reset: bool, counts
///   anew from here] → video, audio: an object each, by track name. See `VideoObserver` and `AudioObserver`.
/// - `bitrate` peer [minimum] [start] [maximum]: bounds of the sending rate.
/// - `stats` peer → the transport's figures. `process` → rss bytes, descriptors, threads of this program.
/// - `close` peer; `abandon` peer: without a word to the other side. Both forget the name.
///
/// Events: `state` (state, reason), `candidate` (candidate, mid, index), `endOfCandidates`, `open` (label),
/// `message` (label, isText, size, sha256, and text when it is one of at most 4096 bytes), `channelClosed`
/// (label, reason), `note` (text).
@main
enum InteropPeer {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let output = LineOutput()
    let calls = CallTable(output: output)
    let lines = AsyncStream<String> { continuation in
      // Blocks in `readLine`: a thread of its own, so that it holds up nobody.
      Thread.detachNewThread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
      }
    }
    output.write(["event": "ready"])
    for await line in lines where !line.isEmpty {
      guard let call = try? JSONValue(parsing: line), call.objectValue != nil else {
        output.write(["id": nil, "error": "not a JSON object"])
        continue
      }
      if call["call"]?.stringValue == "quit" { break }
      output.write(await calls.reply(to: call))
    }
    await calls.closeAll()
  }
}
