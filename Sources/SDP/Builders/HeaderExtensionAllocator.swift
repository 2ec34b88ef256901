/// Gives each header extension one number, the same in all sections of the bundle.
struct HeaderExtensionAllocator {
  private var numbers: [String: UInt16] = [:]
  private var taken: Set<UInt16> = []

  init(keeping previous: SessionDescription?) {
    guard let previous else { return }
    for index in previous.media.indices {
      for one in previous.headerExtensions(ofSection: index) where numbers[one.uri] == nil {
        numbers[one.uri] = one.id
        taken.insert(one.id)
      }
    }
  }

  /// nil when none of 1 to 14 is left: higher ones would force two-byte headers on every packet.
  mutating func assign(_ uri: String) -> HeaderExtension? {
    guard let number = numbers[uri] ?? (UInt16(1)...14).first(where: { !taken.contains($0) }) else {
      return nil
    }
    numbers[uri] = number
    taken.insert(number)
    return HeaderExtension(id: number, uri: uri)
  }
}
