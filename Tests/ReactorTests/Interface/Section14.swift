// Made by Scripts/generate-interface-tests from section 14 of Fixtures/API/swift-api.md. Do not edit.
import Dispatch
import Foundation
import Reactor

enum InterfaceSection14 {
  static func check1() {
    func check<Conformer: Sendable>(_: Conformer.Type) {}
    check(ReactorConfiguration.self)
  }

  static func check2(_ it: inout ReactorConfiguration) {
    var value = it.apiURL
    same(&value, (String).self)
    it.apiURL = value
  }

  static func check3(_ it: inout ReactorConfiguration) {
    var value = it.local
    same(&value, (Bool).self)
    it.local = value
  }

  static func check4(_ it: inout ReactorConfiguration) {
    var value = it.jwt
    same(&value, (String?).self)
    it.jwt = value
  }

  static func check5(_ it: inout ReactorConfiguration) {
    var value = it.generation
    same(&value, (GenerationMode).self)
    it.generation = value
  }

  static func check6(_ it: inout ReactorConfiguration) {
    var value = it.stepTimeout
    same(&value, (Duration).self)
    it.stepTimeout = value
  }

  static func check7(_ it: inout ReactorConfiguration) {
    var value = it.autoResumeTracks
    same(&value, (Bool).self)
    it.autoResumeTracks = value
  }

  static func check8(_ it: inout ReactorConfiguration) {
    var value = it.extraArguments
    same(&value, (JSONValue?).self)
    it.extraArguments = value
  }

  static func check9(_ it: inout ReactorConfiguration) {
    var value = it.knownTracks
    same(&value, ([Capabilities.TrackCapability]?).self)
    it.knownTracks = value
  }

  static func check10(_ it: inout ReactorConfiguration) {
    var value = it.commandTimeout
    same(&value, (Duration).self)
    it.commandTimeout = value
  }

  static func check11(_ it: inout ReactorConfiguration) {
    var value = it.readyTimeout
    same(&value, (Duration).self)
    it.readyTimeout = value
  }

  static func check12(_ it: inout ReactorConfiguration) {
    var value = it.requests
    same(&value, (RequestOptions).self)
    it.requests = value
  }

  static func check13(_ it: inout ReactorConfiguration) {
    var value = it.connectivity
    same(&value, ((any ConnectivityMonitor)?).self)
    it.connectivity = value
  }

  static func check14(_ it: inout ReactorConfiguration) {
    var value = it.lifecycle
    same(&value, ((any AppLifecycle)?).self)
    it.lifecycle = value
  }

  static func check15(_ it: inout ReactorConfiguration) {
    var value = it.http
    same(&value, ((any HTTPTransport)?).self)
    it.http = value
  }

  static func check16() {
    var result = ReactorConfiguration()
    same(&result, (ReactorConfiguration).self)
  }

  static func check17() {
    func check<Conformer: Sendable>(_: Conformer.Type) {}
    check(RequestOptions.self)
  }

  static func check18(_ it: inout RequestOptions) {
    var value = it.headers
    same(&value, ([String: String]).self)
    it.headers = value
  }

  static func check19(_ it: inout RequestOptions) {
    var value = it.timeout
    same(&value, (Duration?).self)
    it.timeout = value
  }

  static func check20(_ it: inout RequestOptions) {
    var value = it.deadline
    same(&value, (Duration?).self)
    it.deadline = value
  }

  static func check21(_ it: inout RequestOptions) {
    var value = it.retry
    same(&value, (RetryPolicy?).self)
    it.retry = value
  }

  static func check22(_ it: inout RequestOptions) {
    var value = it.idempotencyKey
    same(&value, (String?).self)
    it.idempotencyKey = value
  }

  static func check23(_ it: inout RequestOptions) {
    var value = it.extraBody
    same(&value, ([String: JSONValue]).self)
    it.extraBody = value
  }

  static func check24() {
    var result = RequestOptions()
    same(&result, (RequestOptions).self)
  }

  static func check25() {
    func check<Conformer: Sendable & Hashable>(_: Conformer.Type) {}
    check(RetryPolicy.self)
  }

  static func check26(_ it: inout RetryPolicy) {
    var value = it.maxAttempts
    same(&value, (Int).self)
    it.maxAttempts = value
  }

  static func check27(_ it: inout RetryPolicy) {
    var value = it.initialDelay
    same(&value, (Duration).self)
    it.initialDelay = value
  }

  static func check28(_ it: inout RetryPolicy) {
    var value = it.multiplier
    same(&value, (Double).self)
    it.multiplier = value
  }

  static func check29(_ it: inout RetryPolicy) {
    var value = it.maxDelay
    same(&value, (Duration).self)
    it.maxDelay = value
  }

  static func check30(_ it: inout RetryPolicy) {
    var value = it.jitter
    same(&value, (Double).self)
    it.jitter = value
  }

  static func check31() {
    var result = RetryPolicy()
    same(&result, (RetryPolicy).self)
  }

  static func check32() {
    var value = RetryPolicy.none
    same(&value, (RetryPolicy).self)
  }

  static func check33() {
    func check<Conformer: Sendable & Hashable>(_: Conformer.Type) {}
    check(TokenContext.self)
  }

  static func check34(_ it: TokenContext) {
    var value = it.model
    same(&value, (String).self)
  }

  static func check35(_ it: TokenContext) {
    var value = it.sessionID
    same(&value, (String?).self)
  }

  static func check36() {
    func check<Conformer: Sendable>(_: Conformer.Type) {}
    func checkAll<Conformer: TokenStore>(_ type: Conformer.Type) { check(type) }
  }

  static func check37<Conformer: TokenStore>(_ it: Conformer, _ a0: TokenContext) async throws {
    var result = try await it.token(for: a0)
    same(&result, (String?).self)
  }

  static func check38<Conformer: TokenStore>(_ it: Conformer, _ a0: String, _ a1: TokenContext) async {
    await it.invalidate(a0, for: a1)
  }

  struct ConformerTokenStore: TokenStore {
    func token(for context: TokenContext) async throws -> String? { fatalError() }
    func invalidate(_ token: String, for context: TokenContext) async { fatalError() }
  }

  static func check40() {
    func check<Conformer: TokenStore & AnyObject>(_: Conformer.Type) {}
    check(MemoryTokenStore.self)
  }

  static func check41(_ a0: String?) {
    var result = MemoryTokenStore(a0)
    same(&result, (MemoryTokenStore).self)
    _ = MemoryTokenStore()
  }

  static func check42(_ it: MemoryTokenStore, _ a0: String?) {
    it.set(a0)
  }

  static func check43(_ it: MemoryTokenStore, _ a0: TokenContext) async throws {
    var result = try await it.token(for: a0)
    same(&result, (String?).self)
  }

  static func check44(_ it: MemoryTokenStore, _ a0: String, _ a1: TokenContext) async {
    await it.invalidate(a0, for: a1)
  }

  static func check45() {
    func check<Conformer: TokenStore & AnyObject>(_: Conformer.Type) {}
    check(FileTokenStore.self)
  }

  static func check46(_ a0: URL) {
    var result = FileTokenStore(url: a0)
    same(&result, (FileTokenStore).self)
  }

  static func check47(_ it: FileTokenStore, _ a0: String?) throws {
    try it.set(a0)
  }

  static func check48(_ it: FileTokenStore, _ a0: TokenContext) async throws {
    var result = try await it.token(for: a0)
    same(&result, (String?).self)
  }

  static func check49(_ it: FileTokenStore, _ a0: String, _ a1: TokenContext) async {
    await it.invalidate(a0, for: a1)
  }

  static func check50() {
    func check<Conformer: Sendable>(_: Conformer.Type) {}
    func checkAll<Conformer: ConnectivityMonitor>(_ type: Conformer.Type) { check(type) }
  }

  static func check51<Conformer: ConnectivityMonitor>(_ it: Conformer) {
    var value = it.isOnline
    same(&value, (Bool).self)
  }

  static func check52<Conformer: ConnectivityMonitor>(_ it: Conformer) {
    var value = it.changes
    same(&value, (AsyncStream<Bool>).self)
  }

  struct ConformerConnectivityMonitor: ConnectivityMonitor {
    var isOnline: Bool { fatalError() }
    var changes: AsyncStream<Bool> { fatalError() }
  }

  static func check54() {
    func check<Conformer: Sendable>(_: Conformer.Type) {}
    func checkAll<Conformer: AppLifecycle>(_ type: Conformer.Type) { check(type) }
  }

  static func check55<Conformer: AppLifecycle>(_ it: Conformer) {
    var value = it.isForeground
    same(&value, (Bool).self)
  }

  static func check56<Conformer: AppLifecycle>(_ it: Conformer) {
    var value = it.changes
    same(&value, (AsyncStream<Bool>).self)
  }

  struct ConformerAppLifecycle: AppLifecycle {
    var isForeground: Bool { fatalError() }
    var changes: AsyncStream<Bool> { fatalError() }
  }

  static func check58() {
    func check<Conformer: Sendable>(_: Conformer.Type) {}
    check(HTTPRequest.self)
  }

  static func check59(_ it: inout HTTPRequest) {
    var value = it.method
    same(&value, (String).self)
    it.method = value
  }

  static func check60(_ it: inout HTTPRequest) {
    var value = it.url
    same(&value, (URL).self)
    it.url = value
  }

  static func check61(_ it: inout HTTPRequest) {
    var value = it.headers
    same(&value, ([String: String]).self)
    it.headers = value
  }

  static func check62(_ it: inout HTTPRequest) {
    var value = it.body
    same(&value, (Data?).self)
    it.body = value
  }

  static func check63(_ a0: String, _ a1: URL) {
    var result = HTTPRequest(method: a0, url: a1)
    same(&result, (HTTPRequest).self)
  }

  static func check64() {
    func check<Conformer: Sendable>(_: Conformer.Type) {}
    check(HTTPResponse.self)
  }

  static func check65(_ it: HTTPResponse) {
    var value = it.status
    same(&value, (Int).self)
  }

  static func check66(_ it: HTTPResponse) {
    var value = it.headers
    same(&value, ([String: String]).self)
  }

  static func check67(_ a0: Int, _ a1: [String: String]) {
    var result = HTTPResponse(status: a0, headers: a1)
    same(&result, (HTTPResponse).self)
  }

  static func check68() {
    func check<Conformer: Sendable>(_: Conformer.Type) {}
    func checkAll<Conformer: HTTPTransport>(_ type: Conformer.Type) { check(type) }
  }

  static func check69<Conformer: HTTPTransport>(
    _ it: Conformer, _ a0: HTTPRequest, _ a1: Duration
  ) async throws {
    var result = try await it.send(a0, timeout: a1)
    same(&result, ((HTTPResponse, StreamScope<Data>)).self)
  }

  static func check70<Conformer: HTTPTransport>(
    _ it: Conformer, _ a0: HTTPRequest, _ a1: URL, _ a2: Duration
  ) async throws {
    var result = try await it.upload(a0, file: a1, timeout: a2)
    same(&result, (HTTPResponse).self)
  }

  struct ConformerHTTPTransport: HTTPTransport {
    func send(_ request: HTTPRequest, timeout: Duration) async throws -> (HTTPResponse, StreamScope<Data>) {
      fatalError()
    }
    func upload(_ request: HTTPRequest, file: URL, timeout: Duration) async throws -> HTTPResponse {
      fatalError()
    }
  }

  static func check72<Element: Sendable>(_: StreamScope<Element>.Type) {
    func check<Conformer: AsyncSequence & Sendable>(_: Conformer.Type) {}
    check(StreamScope<Element>.self)
  }

  static func check73<Element: Sendable>(_: StreamScope<Element>.Type) {
    let _: (any Error).Type = StreamScope<Element>.Failure.self
  }

  static func check74<Element: Sendable>(_: StreamScope<Element>.AsyncIterator.Type) {
    func check<Conformer: AsyncIteratorProtocol>(_: Conformer.Type) {}
    check(StreamScope<Element>.AsyncIterator.self)
  }

  static func check75<Element: Sendable>(_ it: inout StreamScope<Element>.AsyncIterator) async throws {
    var result = try await it.next()
    same(&result, (Element?).self)
  }

  static func check76<Element: Sendable>(_ it: StreamScope<Element>) {
    var result = it.makeAsyncIterator()
    same(&result, (StreamScope<Element>.AsyncIterator).self)
  }

  static func check77<Element: Sendable>(_ it: StreamScope<Element>) {
    it.close()
  }

  static func check78() {
    func check<Conformer: AnyObject>(_: Conformer.Type) {}
    check(Reactor.self)
  }

  static func check79(_ it: Reactor) {
    var result = it.statusScope()
    same(&result, (StreamScope<ReactorStatus>).self)
  }

  static func check80(_ it: Reactor) {
    var result = it.errorScope()
    same(&result, (StreamScope<ReactorError>).self)
  }

  static func check81(_ it: Reactor) {
    var result = it.messageScope()
    same(&result, (StreamScope<JSONValue>).self)
  }

  static func check82(_ it: Reactor) {
    var result = it.runtimeMessageScope()
    same(&result, (StreamScope<JSONValue>).self)
  }

  static func check83() {
    func check<Conformer: AnyObject>(_: Conformer.Type) {}
    check(Track.self)
  }

  static func check84(_ it: Track) throws {
    var result = try it.frameScope()
    same(&result, (StreamScope<VideoFrame>).self)
  }

  static func check85(_ it: Track) throws {
    var result = try it.audioScope()
    same(&result, (StreamScope<AudioFrame>).self)
  }

  static func check86() {
    func check<Conformer: Sendable & AnyObject>(_: Conformer.Type) {}
    check(ClipDownload.self)
  }

  static func check87(_ it: ClipDownload) {
    var value = it.segments
    same(&value, (Int).self)
  }

  static func check88(_ it: ClipDownload) {
    var value = it.contentType
    same(&value, (String).self)
  }

  static func check89(_ it: ClipDownload, _ a0: Int) async throws {
    var result = try await it.readAll(maxBytes: a0)
    same(&result, (Data).self)
  }

  static func check90(_ it: ClipDownload, _ a0: FileHandle) async throws {
    var result = try await it.copy(to: a0)
    same(&result, (Int).self)
  }

  static func check91(_ it: ClipDownload, _ a0: @Sendable (Data) async throws -> Void) async throws {
    var result = try await it.copy(to: a0)
    same(&result, (Int).self)
  }

  static func check92(_ it: ClipDownload) {
    var result = it.chunks()
    same(&result, (StreamScope<Data>).self)
  }

  static func check93(_ it: ClipDownload) {
    it.close()
  }
}
