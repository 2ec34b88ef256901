import Codecs
import WireFormat

/// How a track's audio is encoded, and what happens when nothing is pushed.
package struct AudioSendConfiguration: Hashable, Sendable {
  /// Bits a second; nil: by the number of channels (`OpusEncoder.Settings`).
  package var bitrateBPS: Int?
  /// 0…10.
  package var complexity: Int
  /// Leave out packets of digital silence and background noise.
  package var usesDTX: Bool
  package var isSpeech: Bool
  /// How long silence is sent in place of audio that is not pushed. The far end mixes and measures by what
  /// arrives: a track that just stops stretches its clock. After this long, nothing is sent, and the next
  /// push begins a talk spurt with a timestamp that counted on.
  package var silenceLimit: Interval

  package init(
    bitrateBPS: Int? = nil, complexity: Int = 5, usesDTX: Bool = false, isSpeech: Bool = false,
    silenceLimit: Interval = .seconds(10)
  ) {
    self.bitrateBPS = bitrateBPS
    self.complexity = complexity
    self.usesDTX = usesDTX
    self.isSpeech = isSpeech
    self.silenceLimit = silenceLimit
  }
}
