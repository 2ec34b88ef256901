/// What an address is combined with by exclusive or, so that no middlebox finds and rewrites it (RFC 8489
/// section 14.2); all zero for the plain form.
struct AddressMask {
  let port: UInt16
  let ipv4: UInt32
  let ipv6High: UInt64
  let ipv6Low: UInt64

  init(_ transactionID: STUNTransactionID?) {
    let cookie = transactionID == nil ? 0 : STUNHeader.magicCookie
    port = UInt16(truncatingIfNeeded: cookie &>> 16)
    ipv4 = cookie
    ipv6High = UInt64(cookie) &<< 32 | UInt64(transactionID?.high ?? 0)
    ipv6Low = transactionID?.low ?? 0
  }
}
