/// Upper bounds of everything that peers or servers can make grow.
package struct ICELimits: Sendable {
  /// Remote candidates a generation; further ones are ignored.
  package var remoteCandidates = 100
  /// Local candidates; further ones are not gathered.
  package var localCandidates = 100
  /// Candidate pairs; when full the one of lowest priority goes.
  package var pairs = 200
  /// Datagrams waiting for the driver; when full, new checks wait.
  package var transmits = 512
  /// TURN allocations at a time.
  package var allocations = 8
  /// Peers that an allocation keeps permissions for.
  package var permissions = 100
  /// Server URIs that are used; further ones are ignored.
  package var servers = 16
  /// Names in resolution at a time; candidates beyond are ignored.
  package var resolutions = 16

  package init() {}
}
