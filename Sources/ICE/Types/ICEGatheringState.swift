/// How far the search for local candidates is.
package enum ICEGatheringState: Sendable, Hashable {
  case new
  case gathering
  case complete
}
