/// How a local runtime listens and what it does wrong.
public struct LocalRuntimeConfiguration: Sendable {
  /// The port; 0: one that is free.
  public var port: UInt16 = 0
  /// Whether it listens on every interface instead of loopback only. Anybody on the network can use it then.
  public var listensOnAllInterfaces = false
  /// A client that is silent for so long is dropped; zero: never.
  public var pingTimeout: Duration = .seconds(20)
  /// A session without clients ends after so long; zero: never.
  public var orphanTimeout: Duration = .seconds(60)
  /// What it does wrong, for tests.
  public var faults = Faults()

  /// What a runtime does wrong.
  public struct Faults: Sendable {
    /// The answer to an offer comes so late.
    public var answerDelay: Duration = .zero
    /// Offers are taken and never answered.
    public var refusesOffers = false
    /// Session creation is answered with this status instead.
    public var startStatus: Int?
    /// A session that was stopped is closing for so long, and another one is refused meanwhile (409).
    public var closingTime: Duration = .zero

    /// No faults.
    public init() {}
  }

  /// Everything at its default.
  public init() {}
}
