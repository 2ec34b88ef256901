// Made by Scripts/generate-interface-tests from section 8 of Fixtures/API/swift-api.md. Do not edit.
import Dispatch
import Foundation
import Reactor

enum InterfaceSection08 {
  static func check1() {
    func check<Conformer: AnyObject>(_: Conformer.Type) {}
    check(Reactor.self)
  }

  static func check2(_ it: Reactor) async throws {
    var result = try await it.stats()
    same(&result, (ConnectionStats).self)
  }

  static func check3() {
    func check<Conformer: Sendable & Hashable & Decodable>(_: Conformer.Type) {}
    check(ConnectionStats.self)
  }

  static func check4(_ it: ConnectionStats) {
    var value = it.rttMS
    same(&value, (Double?).self)
  }

  static func check5(_ it: ConnectionStats) {
    var value = it.jitterSeconds
    same(&value, (Double?).self)
  }

  static func check6(_ it: ConnectionStats) {
    var value = it.packetLossRatio
    same(&value, (Double?).self)
  }

  static func check7(_ it: ConnectionStats) {
    var value = it.incomingBitrateBPS
    same(&value, (Double?).self)
  }

  static func check8(_ it: ConnectionStats) {
    var value = it.outgoingBitrateBPS
    same(&value, (Double?).self)
  }

  static func check9(_ it: ConnectionStats) {
    var value = it.availableIncomingBitrateBPS
    same(&value, (Double?).self)
  }

  static func check10(_ it: ConnectionStats) {
    var value = it.availableOutgoingBitrateBPS
    same(&value, (Double?).self)
  }

  static func check11(_ it: ConnectionStats) {
    var value = it.targetBitrateBPS
    same(&value, (Double?).self)
  }

  static func check12(_ it: ConnectionStats) {
    var value = it.framesPerSecond
    same(&value, (Double?).self)
  }

  static func check13(_ it: ConnectionStats) {
    var value = it.candidateType
    same(&value, (String?).self)
  }

  static func check14(_ it: ConnectionStats) {
    var value = it.relayProtocol
    same(&value, (String?).self)
  }

  static func check15(_ it: ConnectionStats) {
    var value = it.candidatePairState
    same(&value, (String?).self)
  }

  static func check16(_ it: ConnectionStats) {
    var value = it.packetsReceived
    same(&value, (Int).self)
  }

  static func check17(_ it: ConnectionStats) {
    var value = it.packetsLost
    same(&value, (Int).self)
  }

  static func check18(_ it: ConnectionStats) {
    var value = it.packetsSent
    same(&value, (Int).self)
  }

  static func check19(_ it: ConnectionStats) {
    var value = it.bytesReceived
    same(&value, (Int).self)
  }

  static func check20(_ it: ConnectionStats) {
    var value = it.bytesSent
    same(&value, (Int).self)
  }

  static func check21(_ it: ConnectionStats) {
    var value = it.timestampMS
    same(&value, (Double).self)
  }

  static func check22(_ it: ConnectionStats) {
    var value = it.inbound
    same(&value, ([ConnectionStats.InboundStream]).self)
  }

  static func check23(_ it: ConnectionStats) {
    var value = it.outbound
    same(&value, ([ConnectionStats.OutboundStream]).self)
  }

  static func check24(_ it: ConnectionStats) {
    var value = it.candidatePairs
    same(&value, ([ConnectionStats.CandidatePair]).self)
  }

  static func check25() {
    func check<Conformer: Sendable & Hashable & Decodable>(_: Conformer.Type) {}
    check(ConnectionStats.InboundStream.self)
  }

  static func check26(_ it: ConnectionStats.InboundStream) {
    var value = it.ssrc
    same(&value, (UInt32).self)
  }

  static func check27(_ it: ConnectionStats.InboundStream) {
    var value = it.kind
    same(&value, (String?).self)
  }

  static func check28(_ it: ConnectionStats.InboundStream) {
    var value = it.packetsReceived
    same(&value, (Int).self)
  }

  static func check29(_ it: ConnectionStats.InboundStream) {
    var value = it.packetsLost
    same(&value, (Int).self)
  }

  static func check30(_ it: ConnectionStats.InboundStream) {
    var value = it.bytesReceived
    same(&value, (Int).self)
  }

  static func check31(_ it: ConnectionStats.InboundStream) {
    var value = it.jitterSeconds
    same(&value, (Double).self)
  }

  static func check32(_ it: ConnectionStats.InboundStream) {
    var value = it.nackCount
    same(&value, (Int).self)
  }

  static func check33(_ it: ConnectionStats.InboundStream) {
    var value = it.totalDecodeTimeSeconds
    same(&value, (Double).self)
  }

  static func check34(_ it: ConnectionStats.InboundStream) {
    var value = it.framesPerSecond
    same(&value, (Double).self)
  }

  static func check35(_ it: ConnectionStats.InboundStream) {
    var value = it.framesDecoded
    same(&value, (Int).self)
  }

  static func check36(_ it: ConnectionStats.InboundStream) {
    var value = it.framesDropped
    same(&value, (Int).self)
  }

  static func check37(_ it: ConnectionStats.InboundStream) {
    var value = it.frameWidth
    same(&value, (Int).self)
  }

  static func check38(_ it: ConnectionStats.InboundStream) {
    var value = it.frameHeight
    same(&value, (Int).self)
  }

  static func check39(_ a0: any Decoder) throws {
    var result = try ConnectionStats.InboundStream(from: a0)
    same(&result, (ConnectionStats.InboundStream).self)
  }

  static func check40() {
    func check<Conformer: Sendable & Hashable & Decodable>(_: Conformer.Type) {}
    check(ConnectionStats.OutboundStream.self)
  }

  static func check41(_ it: ConnectionStats.OutboundStream) {
    var value = it.ssrc
    same(&value, (UInt32).self)
  }

  static func check42(_ it: ConnectionStats.OutboundStream) {
    var value = it.kind
    same(&value, (String?).self)
  }

  static func check43(_ it: ConnectionStats.OutboundStream) {
    var value = it.packetsSent
    same(&value, (Int).self)
  }

  static func check44(_ it: ConnectionStats.OutboundStream) {
    var value = it.retransmittedPacketsSent
    same(&value, (Int).self)
  }

  static func check45(_ it: ConnectionStats.OutboundStream) {
    var value = it.bytesSent
    same(&value, (Int).self)
  }

  static func check46(_ it: ConnectionStats.OutboundStream) {
    var value = it.targetBitrateBPS
    same(&value, (Double).self)
  }

  static func check47(_ it: ConnectionStats.OutboundStream) {
    var value = it.framesPerSecond
    same(&value, (Double).self)
  }

  static func check48(_ it: ConnectionStats.OutboundStream) {
    var value = it.framesSent
    same(&value, (Int).self)
  }

  static func check49(_ it: ConnectionStats.OutboundStream) {
    var value = it.frameWidth
    same(&value, (Int).self)
  }

  static func check50(_ it: ConnectionStats.OutboundStream) {
    var value = it.frameHeight
    same(&value, (Int).self)
  }

  static func check51(_ it: ConnectionStats.OutboundStream) {
    var value = it.roundTripTimeSeconds
    same(&value, (Double).self)
  }

  static func check52(_ it: ConnectionStats.OutboundStream) {
    var value = it.totalRoundTripTimeSeconds
    same(&value, (Double).self)
  }

  static func check53(_ it: ConnectionStats.OutboundStream) {
    var value = it.fractionLost
    same(&value, (Double).self)
  }

  static func check54(_ it: ConnectionStats.OutboundStream) {
    var value = it.packetsLost
    same(&value, (Int).self)
  }

  static func check55(_ a0: any Decoder) throws {
    var result = try ConnectionStats.OutboundStream(from: a0)
    same(&result, (ConnectionStats.OutboundStream).self)
  }

  static func check56() {
    func check<Conformer: Sendable & Hashable & Decodable>(_: Conformer.Type) {}
    check(ConnectionStats.CandidatePair.self)
  }

  static func check57(_ it: ConnectionStats.CandidatePair) {
    var value = it.currentRoundTripTimeSeconds
    same(&value, (Double).self)
  }

  static func check58(_ it: ConnectionStats.CandidatePair) {
    var value = it.totalRoundTripTimeSeconds
    same(&value, (Double).self)
  }

  static func check59(_ it: ConnectionStats.CandidatePair) {
    var value = it.priority
    same(&value, (UInt64).self)
  }

  static func check60(_ it: ConnectionStats.CandidatePair) {
    var value = it.state
    same(&value, (String).self)
  }

  static func check61(_ it: ConnectionStats.CandidatePair) {
    var value = it.nominated
    same(&value, (Bool).self)
  }

  static func check62(_ it: ConnectionStats.CandidatePair) {
    var value = it.writable
    same(&value, (Bool).self)
  }

  static func check63(_ it: ConnectionStats.CandidatePair) {
    var value = it.availableOutgoingBitrateBPS
    same(&value, (Double).self)
  }

  static func check64(_ it: ConnectionStats.CandidatePair) {
    var value = it.availableIncomingBitrateBPS
    same(&value, (Double).self)
  }

  static func check65(_ it: ConnectionStats.CandidatePair) {
    var value = it.bytesSent
    same(&value, (Int).self)
  }

  static func check66(_ it: ConnectionStats.CandidatePair) {
    var value = it.bytesReceived
    same(&value, (Int).self)
  }

  static func check67(_ it: ConnectionStats.CandidatePair) {
    var value = it.packetsSent
    same(&value, (Int).self)
  }

  static func check68(_ it: ConnectionStats.CandidatePair) {
    var value = it.packetsReceived
    same(&value, (Int).self)
  }

  static func check69(_ it: ConnectionStats.CandidatePair) {
    var value = it.localCandidateType
    same(&value, (String?).self)
  }

  static func check70(_ it: ConnectionStats.CandidatePair) {
    var value = it.localRelayProtocol
    same(&value, (String?).self)
  }

  static func check71(_ a0: any Decoder) throws {
    var result = try ConnectionStats.CandidatePair(from: a0)
    same(&result, (ConnectionStats.CandidatePair).self)
  }

  static func check72(_ a0: any Decoder) throws {
    var result = try ConnectionStats(from: a0)
    same(&result, (ConnectionStats).self)
  }
}
