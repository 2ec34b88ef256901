/// The parameters of an `a=fmtp` line in the order written: `name=value` or a bare word, between semicolons.
package struct FormatParameters: Hashable, Sendable {
  package struct Parameter: Hashable, Sendable {
    package var name: String
    /// nil for a bare word such as RED's `111/111` or telephone-event's `0-16`.
    package var value: String?

    package init(_ name: String, _ value: String?) {
      self.name = name
      self.value = value
    }
  }

  package private(set) var list: [Parameter]

  package init(_ list: [Parameter] = []) {
    self.list = list
  }

  /// `minptime=20;useinbandfec=1`, blanks around the parts forgiven.
  package init(parsing text: Substring) {
    list = text.parts(separatedBy: UInt8(ascii: ";")).compactMap { part in
      let trimmed = part.trimmingBlanks
      guard !trimmed.isEmpty else { return nil }
      guard let (name, value) = trimmed.halves(at: UInt8(ascii: "=")) else {
        return Parameter(String(trimmed), nil)
      }
      return Parameter(String(name.trimmingBlanks), String(value.trimmingBlanks))
    }
  }

  package var isEmpty: Bool { list.isEmpty }

  /// The value of the first parameter of that name; upper and lower case are the same (RFC 8866 leaves it to
  /// the media type, and peers differ).
  package subscript(_ name: String) -> String? {
    list.first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }

  package func number(_ name: String) -> Int? {
    self[name].flatMap { Int(decimal: $0) }
  }

  mutating func append(_ more: FormatParameters) {
    list += more.list
  }
}

extension FormatParameters: CustomStringConvertible {
  package var description: String {
    list.map { parameter in parameter.value.map { "\(parameter.name)=\($0)" } ?? parameter.name }
      .joined(separator: ";")
  }
}

extension FormatParameters: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) {
    self.init(parsing: text[...])
  }
}
