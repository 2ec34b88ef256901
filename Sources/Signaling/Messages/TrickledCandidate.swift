import ReactorTypes

/// A local candidate, as it is sent to the runtime.
package struct TrickledCandidate: Hashable, Sendable {
  /// The attribute's value, `candidate:` included, without `a=`.
  package var candidate: String
  package var mid: String
  package var mLineIndex: Int

  package init(candidate: String, mid: String, mLineIndex: Int) {
    self.candidate = candidate
    self.mid = mid
    self.mLineIndex = mLineIndex
  }

  // Both keys are sent: the 2.10 runtime drops a candidate without an index.
  var json: JSONValue {
    [
      "candidate": .string(candidate), "sdp_mid": .string(mid),
      "sdp_mline_index": .number(Double(mLineIndex)),
    ]
  }
}
