/// Bytes that the agent wants sent.
package struct ICETransmit: Hashable, Sendable {
  package var path: ICETransmitPath
  package var payload: [UInt8]
}
