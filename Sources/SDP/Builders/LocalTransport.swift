/// What this side says about its one transport; every section of a description repeats it.
package struct LocalTransport: Hashable, Sendable {
  package var credentials: IceCredentials
  package var iceOptions: [String]
  /// At least one; several when several hashes of the certificate shall be told.
  package var fingerprints: [Fingerprint]
  /// For an offer what is written (`actpass` leaves the choice to the answer). For an answer what is preferred
  /// when the offer leaves the choice.
  package var setup: DTLSSetup
  /// Candidates known already. Trickling makes them needless, except when a connection is replaced: the
  /// runtimes lose what is trickled before the new answer exists.
  package var candidates: [CandidateAttribute]
  package var hasEndOfCandidates: Bool

  package init(
    credentials: IceCredentials, fingerprints: [Fingerprint], setup: DTLSSetup,
    iceOptions: [String] = ["trickle"], candidates: [CandidateAttribute] = [],
    hasEndOfCandidates: Bool = false
  ) {
    self.credentials = credentials
    self.iceOptions = iceOptions
    self.fingerprints = fingerprints
    self.setup = setup
    self.candidates = candidates
    self.hasEndOfCandidates = hasEndOfCandidates
  }
}
