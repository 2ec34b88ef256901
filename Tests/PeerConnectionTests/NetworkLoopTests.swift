import PeerConnection
import Synchronization
import Testing
import WireFormat

struct NetworkLoopTests {
  private actor Resident {
    nonisolated let loop: NetworkLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var count = 0

    init(loop: NetworkLoop) {
      self.loop = loop
    }

    func visit() -> (Int, Bool) {
      count += 1
      return (count, loop.isOnLoop)
    }
  }

  @Test func `an actor bound to the loop runs on its thread`() async throws {
    let loop = try NetworkLoop(name: "test-loop")
    let resident = Resident(loop: loop)
    for expected in 1...100 {
      let (count, isOnLoop) = await resident.visit()
      #expect(count == expected)
      #expect(isOnLoop)
    }
    #expect(!loop.isOnLoop)
    loop.stop()
  }

  @Test func `commands run in order and are refused once the loop has stopped`() async throws {
    let loop = try NetworkLoop()
    let seen = Mutex<[Int]>([])
    for number in 0..<1000 {
      #expect(loop.submit { seen.withLock { $0.append(number) } })
    }
    await withCheckedContinuation { continuation in
      loop.submit { continuation.resume() }
    }
    #expect(seen.withLock { $0 } == Array(0..<1000))
    loop.stop()
    #expect(!loop.submit {})
  }

  @Test func `lists at least the loopback address`() throws {
    let addresses = try NetworkInterfaceAddress.current()
    #expect(addresses.contains { $0.ip == .ipv4Loopback && $0.isLoopback })
  }
}
