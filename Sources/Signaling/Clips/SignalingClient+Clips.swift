#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import ReactorTypes
import WireFormat

extension SignalingClient {
  /// Whether the session that a clip belongs to can still produce media.
  package typealias SessionLiveness = @Sendable () -> Bool

  /// Waits until the clip's media is stored, and opens it.
  ///
  /// - Parameters:
  ///   - readyTimeout: grace past the clip's predicted time. nil: as long as `isSessionAlive`; after that a clip
  ///     that is not ready never will be.
  ///   - isSessionAlive: asked between polls.
  package func openDownload(
    _ clip: Clip, readyTimeout: Duration? = nil, options: RequestOptions = RequestOptions(),
    isSessionAlive: @escaping SessionLiveness
  ) async throws(SignalingError) -> SegmentedDownload {
    guard let url = playlistURL(clip) else {
      throw SignalingError(.fetchPlaylist, .refused("the clip's playlist URL cannot be used"))
    }
    var call = segmentCall(.fetchPlaylist, url, session: clip.sessionID, options)
    call.maxBody = Playlist.maxBytes
    let deadline = readyTimeout.map { grace in
      let ahead = max(0, (clip.predictedReadyAtMS ?? 0) - clock.unixMilliseconds())
      return clock.now() + .milliseconds(min(ahead, 86_400_000)) + Interval(grace)
    }
    while true {
      // Asked before the poll: media that came between the two still counts.
      let isAlive = isSessionAlive()
      let answer = try await runner.run(call)
      if answer.status != 202 {
        return try download(answer, url, clip, options)
      }
      if readyTimeout == nil, !isAlive {
        throw SignalingError(
          .fetchPlaylist, .invalidState("the session ended before the clip's media was complete"))
      }
      if let deadline, clock.now() >= deadline { throw SignalingError(.fetchPlaylist, .pollExhausted) }
      let asked = CallRunner.retryAfter(answer.head) ?? .seconds(2)
      var wait = min(max(asked, .milliseconds(200)), .seconds(2))
      if let deadline { wait = min(wait, max(.milliseconds(10), deadline - clock.now())) }
      try await pause(.fetchPlaylist, wait)
    }
  }

  private func download(
    _ answer: Answer, _ url: URL, _ clip: Clip, _ options: RequestOptions
  ) throws(SignalingError) -> SegmentedDownload {
    guard let text = String(validating: answer.body, as: UTF8.self) else {
      throw SignalingError(.fetchPlaylist, .undecodable("the playlist is not text"))
    }
    let playlist: Playlist
    do {
      playlist = try Playlist(text: text, base: url)
    } catch .noInitSegment {
      throw SignalingError(
        .fetchPlaylist, .undecodable("the playlist names fragments without an init segment"))
    } catch .noSegments {
      throw SignalingError(.fetchPlaylist, .undecodable("the playlist names no segments"))
    } catch .tooManySegments {
      throw SignalingError(
        .fetchPlaylist, .undecodable("the playlist names more than \(Playlist.maxSegments) segments"))
    } catch .badURI {
      throw SignalingError(
        .fetchPlaylist, .undecodable("the playlist names a segment that cannot be fetched"))
    } catch {
      throw SignalingError(.fetchPlaylist, .undecodable("the answer is not a media playlist"))
    }
    return SegmentedDownload(segments: playlist.segments) { [self] url throws(SignalingError) in
      try await runner.open(segmentCall(.fetchSegment, url, session: clip.sessionID, options)).1
    }
  }

  /// A path-only playlist URL is the coordinator's; an absolute one is kept.
  private func playlistURL(_ clip: Clip) -> URL? {
    guard let base = endpoint.url("/"),
      let url = URL(string: clip.playlistURL, relativeTo: base)?.absoluteURL,
      url.scheme == "http" || url.scheme == "https"
    else { return nil }
    return url
  }

  // The token goes to the coordinator's own origin only: a presigned host refuses it, a foreign one steals it.
  private func segmentCall(
    _ step: SignalingStep, _ url: URL, session: String?, _ options: RequestOptions
  ) -> Call {
    let isOwn = endpoint.isOwnOrigin(url)
    var own = options
    own.extraBody = [:]
    if !isOwn { own.headers = [:] }
    var call = Call(
      step: step, method: "GET", url: url,
      authorization: isOwn ? .token(TokenContext(model: model, sessionID: session)) : .none, options: own)
    call.isForeign = !isOwn
    if isOwn { call.headers = ["Reactor-API-Version": "1", "Reactor-API-Accept-Version": "1"] }
    return call
  }
}
