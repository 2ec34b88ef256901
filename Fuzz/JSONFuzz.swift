// Build: swiftc -sanitize=fuzzer -parse-as-library, with the module ReactorTypes and those below it.
import ReactorTypes

/// Anything parsed as JSON must not trap, and what parses must write and parse to the same value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let value = try? JSONValue(parsing: bytes) else { return 0 }
  let written = (try? value.jsonBytes()) ?? []
  precondition((try? JSONValue(parsing: written)) == value)
  _ = Redaction.redact(value)
  return 0
}
