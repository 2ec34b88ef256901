import Foundation
import Reactor

// What the examples of the documentation take as given. They are compiled with these; only those that bring everything
// with them are run.

let key = "rk_given"
let jwt = "given"
let bgra = Data(count: 1280 * 720 * 4)
let samples = [Int16](repeating: 0, count: 882)
let samplePNG = Data()

/// A client whose session the text has spoken of before.
var reactor: Reactor { fatalError("examples with a session of before are compiled only") }

func show(_ frame: VideoFrame) {}
func show(_ pixels: Data, _ width: UInt32, _ height: UInt32) {}
func draw(_ pixels: UnsafeRawBufferPointer, width: Int, height: Int) {}
func play(_ frame: AudioFrame) {}
