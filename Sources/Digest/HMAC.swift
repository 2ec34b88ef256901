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
    guard let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
    defer { unsafe EVP_MAC_free(algorithm) }
    guard let context = unsafe EVP_MAC_CTX_new(algorithm) else { return nil }
    unsafe self.context = context
    // Both strings live as long as the call: a parameter keeps the pointers, not the text.
    let initialized = unsafe key.withUnsafeBufferPointer { keyBytes in
      unsafe OSSL_MAC_PARAM_DIGEST.withCString { parameter in
        unsafe function.rawValue.withCString { name in
          var parameters = [
            unsafe OSSL_PARAM_construct_utf8_string(parameter, UnsafeMutablePointer(mutating: name), 0),
            unsafe OSSL_PARAM_construct_end(),
          ]
          // A nil key would mean "keep the last one": an empty key still needs an address.
          var none: UInt8 = 0
          return unsafe withUnsafePointer(to: &none) { empty in
            unsafe EVP_MAC_init(context, keyBytes.baseAddress ?? empty, keyBytes.count, &parameters)
          }
        }
      }
    }
    guard initialized == 1 else { return nil }
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
}
