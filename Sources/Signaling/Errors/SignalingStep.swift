/// The HTTP exchange that an error happened in; part of its message.
package enum SignalingStep: String, Sendable, CaseIterable {
  case mintToken = "mint token"
  case createSession = "create session"
  case startSession = "start session"
  case getSession = "get session"
  case restartSession = "restart session"
  case endSession = "end session"
  case iceServers = "ice servers"
  case registerConnection = "register connection"
  case sendOffer = "send sdp offer"
  case pollAnswer = "poll sdp answer"
  case sendCandidates = "send ice candidates"
  case createUpload = "create upload"
  case presignedUpload = "presigned upload"
  case fetchPlaylist = "fetch clip playlist"
  case fetchSegment = "fetch clip segment"
}
