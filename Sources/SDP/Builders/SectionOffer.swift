/// One section of an offer, in the order in which it shall stand.
package enum SectionOffer: Hashable, Sendable {
  case media(MediaSectionOffer)
  case data(DataSectionOffer)
  /// Keeps the place of a section of the previous description that is no longer used: sections never go away.
  case rejected(MediaSection)

  var mid: String? {
    switch self {
    case .media(let section): section.mid
    case .data(let section): section.mid
    case .rejected: nil
    }
  }
}
