/// Which agent nominates (RFC 8445 section 2.3).
package enum ICERole: Sendable, Hashable {
  case controlling
  case controlled

  var opposite: ICERole { self == .controlling ? .controlled : .controlling }
}
