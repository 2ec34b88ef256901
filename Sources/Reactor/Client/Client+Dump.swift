import ReactorTypes

extension Client {
  /// The state in words, then the log.
  var debugDump: String {
    let session = lifecycle.session
    var lines = [
      "Reactor for Swift \(ReactorSDK.version), model \(model), \(signaling.endpoint.base)\(signaling.endpoint.isLocal ? ", local" : "")",
      "status \(lifecycle.status.rawValue)\(isClosed ? " (closed)" : "")",
    ]
    if let session {
      let connection = session.connectionID.map { ", connection \($0)" } ?? ""
      lines.append("session \(session.id), \(session.isOwner ? "created here" : "adopted")\(connection)")
    }
    for track in tracks.all(client: weak) {
      var line = "track \(track.name): \(track.kind?.rawValue ?? "") \(track.direction?.rawValue ?? "")"
      if let mid = track.mid { line += ", mid \(mid)" }
      if track.published { line += ", published" }
      if track.paused { line += ", paused" }
      lines.append(line)
    }
    return Redaction.redact((lines + [log.dump]).joined(separator: "\n"))
  }
}
