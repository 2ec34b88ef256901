/// A candidate of ours with the base that its datagrams leave from.
struct LocalCandidate {
  var candidate: ICECandidate
  var base: CandidateBase
}
