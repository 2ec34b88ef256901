import ICE
import TestSupport
import WireFormat

#if canImport(Glibc)
  import Glibc

  /// An agent on real sockets of the loopback interface: a small poll() loop for tests against real servers.
  final class SocketDriver {
    let agent: ICEAgent
    private(set) var received: [[UInt8]] = []
    private(set) var events: [ICEEvent] = []
    var onEvent: (ICEEvent) -> Void = { _ in }
    private var sockets: [Int32: SocketAddress] = [:]
    private var streams: [ICEStreamID: Stream] = [:]

    /// TCP, or the pipes of an `openssl s_client` that speaks TLS for us.
    private struct Stream {
      let input: Int32
      let output: Int32
      var process: ChildProcess?
      var isConnecting: Bool
      /// What the system has not taken yet.
      var unsent: [UInt8] = []
    }

    init(configuration: ICEConfiguration) {
      signal(SIGPIPE, SIG_IGN)
      agent = ICEAgent(configuration: configuration, random: .system)
    }

    deinit {
      for descriptor in sockets.keys { Glibc.close(descriptor) }
      for stream in streams.values { end(stream) }
    }

    private func end(_ stream: Stream) {
      Glibc.close(stream.input)
      if stream.output != stream.input { Glibc.close(stream.output) }
    }

    private var now: Instant { MonotonicClock.now() }

    /// Binds a UDP socket.
    func open(on ip: IPAddress = .ipv4Loopback) {
      let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
      var address = Self.systemAddress(SocketAddress(ip: ip, port: 0))
      Self.withAddress(&address) { _ = bind(descriptor, $0, $1) }
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutablePointer(to: &address) {
        _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
      }
      let bound = SocketAddress(ip: ip, port: UInt16(bigEndian: address.sin_port))
      sockets[descriptor] = bound
      act {
        $0.addLocalAddress(
          LocalInterfaceAddress(
            bound: bound, interfaceName: "lo", kind: ip.isLoopback ? .loopback : .ethernet), at: now)
      }
    }

    func act(_ body: (ICEAgent) -> Void) {
      body(agent)
      drain()
    }

    @discardableResult
    func send(_ payload: [UInt8]) -> Bool {
      let packet = PacketBuffer(copying: payload)
      guard let path = agent.route(packet, at: now) else { return false }
      transmit(packet.bytes.copyBytes(), over: path)
      return true
    }

    // MARK: The loop

    /// Runs all drivers until `condition` or for `seconds`; whether it came true.
    static func run(_ drivers: [SocketDriver], seconds: Double, until condition: () -> Bool) -> Bool {
      let end = MonotonicClock.now() + .seconds(seconds)
      while !condition() {
        let now = MonotonicClock.now()
        guard now < end else { return false }
        var due = end
        for driver in drivers { if let next = driver.agent.nextTimeout() { due = min(due, next) } }
        var descriptors: [pollfd] = []
        for driver in drivers { descriptors += driver.interests }
        let wait = max(0, min(50, (due - now).wholeMilliseconds + 1))
        poll(&descriptors, nfds_t(descriptors.count), Int32(wait))
        for driver in drivers { driver.step(descriptors) }
      }
      return true
    }

    private var interests: [pollfd] {
      var result = sockets.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      for stream in streams.values {
        result.append(pollfd(fd: stream.input, events: Int16(POLLIN), revents: 0))
        if stream.isConnecting || !stream.unsent.isEmpty {
          result.append(pollfd(fd: stream.output, events: Int16(POLLOUT), revents: 0))
        }
      }
      return result
    }

    private func step(_ ready: [pollfd]) {
      for entry in ready where entry.revents != 0 {
        if let local = sockets[entry.fd] { readDatagrams(entry.fd, local) }
        for (id, stream) in streams {
          if entry.fd == stream.output, entry.events & Int16(POLLOUT) != 0 { writable(id) }
          if entry.fd == stream.input, entry.events & Int16(POLLIN) != 0 { readStream(id) }
        }
      }
      if let due = agent.nextTimeout(), due <= now { act { $0.handleTimeout(at: now) } }
    }

    private func readDatagrams(_ descriptor: Int32, _ local: SocketAddress) {
      var buffer = [UInt8](repeating: 0, count: 2048)
      while true {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutablePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            recvfrom(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT), $0, &length)
          }
        }
        guard count > 0 else { return }
        let source = SocketAddress(
          ip: IPAddress(ipv4: UInt32(bigEndian: address.sin_addr.s_addr)),
          port: UInt16(bigEndian: address.sin_port))
        let datagram = Array(buffer.prefix(count))
        let input = agent.handle(datagram.rawSpan, from: source, to: local, at: now)
        if case .application(let range, _) = input { received.append(Array(datagram[range])) }
        drain()
      }
    }

    private func readStream(_ id: ICEStreamID) {
      guard let stream = streams[id], !stream.isConnecting else { return }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(stream.input, &buffer, buffer.count)
      if count > 0 {
        let bytes = Array(buffer.prefix(count))
        agent.handleStream(bytes.rawSpan, from: id, at: now) { datagram, _ in
          received.append(datagram.copyBytes())
        }
        drain()
      } else if count == 0 || errno != EAGAIN {
        streams[id] = nil
        end(stream)
        act { $0.streamFailed(id, at: now) }
      }
    }

    private func writable(_ id: ICEStreamID) {
      guard let stream = streams[id] else { return }
      if stream.isConnecting {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(stream.output, SOL_SOCKET, SO_ERROR, &error, &length)
        streams[id]?.isConnecting = false
        act { error == 0 ? $0.streamConnected(id, local: nil, at: now) : $0.streamFailed(id, at: now) }
      }
      flush(id)
    }

    private func flush(_ id: ICEStreamID) {
      guard let stream = streams[id], !stream.unsent.isEmpty else { return }
      let count = write(stream.output, stream.unsent, stream.unsent.count)
      if count > 0 { streams[id]?.unsent.removeFirst(count) }
    }

    private func drain() {
      while let transmit = agent.nextTransmit() { self.transmit(transmit.payload, over: transmit.path) }
      while let event = agent.nextEvent() {
        events.append(event)
        switch event {
        case .openStream(let id, let to, let name): openStream(id, to, tls: name)
        case .closeStream(let id):
          flush(id)
          if let stream = streams.removeValue(forKey: id) { end(stream) }
        default: break
        }
        onEvent(event)
      }
    }

    private func transmit(_ payload: [UInt8], over path: ICETransmitPath) {
      switch path {
      case .datagram(let local, let remote):
        guard let descriptor = sockets.first(where: { $0.value == local })?.key else { return }
        var address = Self.systemAddress(remote)
        Self.withAddress(&address) { _ = sendto(descriptor, payload, payload.count, 0, $0, $1) }
      case .stream(let id):
        streams[id]?.unsent += payload
        if streams[id]?.isConnecting == false { flush(id) }
      }
    }

    private func openStream(_ id: ICEStreamID, _ to: SocketAddress, tls name: String?) {
      if let name {
        var toChild: [Int32] = [0, 0]
        var fromChild: [Int32] = [0, 0]
        _ = pipe(&toChild)
        _ = pipe(&fromChild)
        for descriptor in [toChild[1], fromChild[0]] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let process = try? ChildProcess(
          "/usr/bin/openssl", ["s_client", "-quiet", "-connect", to.description, "-servername", name],
          input: toChild[0], output: fromChild[1])
        Glibc.close(toChild[0])
        Glibc.close(fromChild[1])
        guard let process else {
          act { $0.streamFailed(id, at: now) }
          return
        }
        let stream = Stream(
          input: fromChild[0], output: toChild[1], process: process, isConnecting: false)
        setNonBlocking(stream)
        streams[id] = stream
        // s_client keeps what is written until its handshake is done.
        act { $0.streamConnected(id, local: nil, at: now) }
      } else {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let stream = Stream(input: descriptor, output: descriptor, process: nil, isConnecting: true)
        setNonBlocking(stream)
        var address = Self.systemAddress(to)
        Self.withAddress(&address) { _ = connect(descriptor, $0, $1) }
        streams[id] = stream
      }
    }

    private func setNonBlocking(_ stream: Stream) {
      for descriptor in [stream.input, stream.output] {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
      }
    }

    private static func systemAddress(_ address: SocketAddress) -> sockaddr_in {
      var result = sockaddr_in()
      result.sin_family = sa_family_t(AF_INET)
      result.sin_port = address.port.bigEndian
      result.sin_addr.s_addr = UInt32(truncatingIfNeeded: address.ip.low).bigEndian
      return result
    }

    private static func withAddress(
      _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Void
    ) {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
  }
#endif
