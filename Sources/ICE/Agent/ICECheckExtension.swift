import STUN

/// A way for another layer to ride on connectivity checks (DTLS in STUN, for one).
///
/// Only attributes that a peer may ignore (types from 0x8000) belong here. Messages handed over are
/// authenticated.
package protocol ICECheckExtension: AnyObject {
  /// Attributes to add to a Binding request or success response on `pair`.
  func attributes(for messageClass: STUNClass, pair: ICEPairID) -> [STUNAttribute]

  /// A Binding request or success response came in on `pair`.
  func received(_ message: STUNMessage, pair: ICEPairID)
}
