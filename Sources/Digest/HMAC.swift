import COpenSSL
import WireFormat

/// A keyed message authentication code (RFC 2104) with its key set up once.
///
/// Belongs to one thread. Computing a code restarts the same OpenSSL context: no key schedule a message.
@safe package final class HMAC {
  package let function: HashFunction
  private let context: OpaquePointer

  /// nil only where OpenSSL refuses the algorithm or memory is short.
  package init?(_ function: HashFunction, key: [UInt8]) {
    self.function = function
    guard let context = unsafe Template.of(function).copy() else { return nil }
    unsafe self.context = context
    guard unsafe Self.setKey(key, context, nil) else { return nil }
  }

  deinit {
    unsafe EVP_MAC_CTX_free(context)
  }

  /// The code over the concatenation of `parts`; nil only where OpenSSL fails.
  package func authenticationCode(_ parts: [UInt8]...) -> [UInt8]? {
    guard unsafe EVP_MAC_init(context, nil, 0, nil) == 1 else { return nil }
    for part in parts {
      guard unsafe EVP_MAC_update(context, part, part.count) == 1 else { return nil }
    }
    return finish()
  }

  /// The code over `bytes`; nil only where OpenSSL fails.
  package func authenticationCode(_ bytes: RawSpan) -> [UInt8]? {
    guard unsafe EVP_MAC_init(context, nil, 0, nil) == 1 else { return nil }
    let updated = unsafe bytes.withUnsafeBytes { input in
      unsafe EVP_MAC_update(context, input.baseAddress, input.count)
    }
    return updated == 1 ? finish() : nil
  }

  private func finish() -> [UInt8]? {
    var output = [UInt8](repeating: 0, count: function.digestLength)
    var length = 0
    guard unsafe EVP_MAC_final(context, &output, &length, output.count) == 1, length == output.count else {
      return nil
    }
    return output
  }

  private static func setKey(
    _ key: [UInt8], _ context: OpaquePointer, _ parameters: UnsafePointer<OSSL_PARAM>?
  ) -> Bool {
    unsafe key.withUnsafeBufferPointer { bytes in
      // A nil key would mean "keep the last one": an empty key still needs an address.
      var none: UInt8 = 0
      return unsafe withUnsafePointer(to: &none) { empty in
        unsafe EVP_MAC_init(context, bytes.baseAddress ?? empty, bytes.count, parameters) == 1
      }
    }
  }

  /// A context of each function with its algorithms looked up: OpenSSL 3 takes longer for that than for a code.
  ///
  /// `@unchecked Sendable`: never changed once made; copying one only reads it.
  @safe private struct Template: @unchecked Sendable {
    private let context: OpaquePointer?

    private static let all = HashFunction.allCases.map { Template($0) }

    static func of(_ function: HashFunction) -> Template {
      all[HashFunction.allCases.firstIndex(of: function) ?? 0]
    }

    private init(_ function: HashFunction) {
      unsafe context = Self.make(function)
    }

    private static func make(_ function: HashFunction) -> OpaquePointer? {
      guard let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
      defer { unsafe EVP_MAC_free(algorithm) }
      guard let made = unsafe EVP_MAC_CTX_new(algorithm) else { return nil }
      // Both strings live as long as the call: a parameter keeps the pointers, not the text.
      let isMade = unsafe OSSL_MAC_PARAM_DIGEST.withCString { parameter in
        unsafe function.rawValue.withCString { name in
          let parameters = [
            unsafe OSSL_PARAM_construct_utf8_string(parameter, UnsafeMutablePointer(mutating: name), 0),
            unsafe OSSL_PARAM_construct_end(),
          ]
          return unsafe HMAC.setKey([], made, parameters)
        }
      }
      if isMade { return unsafe made }
      unsafe EVP_MAC_CTX_free(made)
      return nil
    }

    func copy() -> OpaquePointer? { unsafe context.flatMap { unsafe EVP_MAC_CTX_dup($0) } }
  }
}
