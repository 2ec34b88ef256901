import Reactor
import ReactorLocalRuntime
import Testing

struct LocalRuntimePortTests {
  @Test func `a port that another runtime listens on is refused, and free again after its end`() async throws
  {
    let first = try LocalRuntime(model: EchoModel())
    var configuration = LocalRuntimeConfiguration()
    configuration.port = first.port
    await #expect {
      let second = try LocalRuntime(model: EchoModel(), configuration: configuration)
      await second.stop()
    } throws: { ($0 as? ReactorError)?.code == .invalidState }
    await first.stop()
    let third = try LocalRuntime(model: EchoModel(), configuration: configuration)
    #expect(third.port == configuration.port)
    await third.stop()
  }
}
