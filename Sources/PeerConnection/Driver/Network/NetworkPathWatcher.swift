/// Watches the machine's paths on a thread of its own, for whoever has no network loop.
package final class NetworkPathWatcher: Sendable {
  private let loop: NetworkLoop

  /// nil where the system has no netlink.
  ///
  /// - Parameter onChange: called on the watcher's thread, first with what there is now.
  package init?(onChange: @escaping @Sendable (NetworkPaths) -> Void) {
    guard NetworkChangeMonitor.isAvailable, let loop = try? NetworkLoop(name: "reactor-paths") else {
      return nil
    }
    self.loop = loop
    // The loop keeps the monitor, as one of its members.
    loop.submit { [weak loop] in
      guard let loop else { return }
      _ = NetworkChangeMonitor(context: loop.context, reportsStart: true, onChange: onChange)
    }
  }

  deinit {
    loop.stop()
  }
}
