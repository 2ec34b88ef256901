import RTP
import Testing
import TestSupport
import WireFormat

@Test func explore() {
  for capacity in [300_000.0, 1_000_000, 3_000_000, 10_000_000] {
    for delay in [20.0, 100] {
      for loss in [0.0, 0.02] {
        for seed: UInt64 in [1, 2] {
        var s = ClosedLoop.Settings()
        s.capacity = capacity; s.delayMilliseconds = delay; s.loss = loss; s.seed = seed
        var loop = ClosedLoop(s)
        loop.run(for: .seconds(30 as Int64))
        let all = loop.samples
        let start = all[0].at
        let conv = all.first { $0.target > 0.85 * capacity }.map { ($0.at - start).inSeconds } ?? -1
        let steady = loop.samples(last: .seconds(20 as Int64))
        let secs = steady.targetsBySecond.map { $0 / capacity }
        let q = steady.map(\.queue).sorted()
        func f(_ x: Double) -> String { "\((x * 100).rounded() / 100)" }
        var line = "\(Int(capacity/1000))k d\(Int(delay)) l\(loss) s\(seed): conv \(f(conv)) avg \(f(steady.averageTarget / capacity)) sec \(f(secs.min()!))...\(f(secs.max()!)) inst \(f(steady.map(\.target).min()!/capacity))...\(f(steady.map(\.target).max()!/capacity)) q50 \(q[q.count/2].wholeMilliseconds) q95 \(q[q.count*95/100].wholeMilliseconds) max \(q.last!.wholeMilliseconds) lost \(loop.link.droppedAtQueue) probes \(loop.probesSent)"
        for factor in [0.5, 2.0] {
          var l = ClosedLoop(s)
          l.run(for: .seconds(20 as Int64))
          l.setCapacity(capacity * factor)
          l.run(for: .seconds(3 as Int64))
          let at3 = l.samples.last!
          l.run(for: .seconds(5 as Int64))
          let after = l.samples(last: .seconds(5 as Int64))
          let q2 = after.map(\.queue).sorted()
          let sec = after.targetsBySecond.map { $0 / capacity / factor }
          line += " | x\(factor) 3s \(f(at3.target/capacity/factor)) q \(at3.queue.wholeMilliseconds) then \(f(sec.min()!))...\(f(sec.max()!)) q95 \(q2[q2.count*95/100].wholeMilliseconds) max \(q2.last!.wholeMilliseconds)"
        }
        print(line)
        }
      }
    }
  }
}

@Test func trace() {
  var s = ClosedLoop.Settings()
  s.capacity = 3_000_000; s.delayMilliseconds = 100; s.loss = 0.02; s.seed = 2
  var l = ClosedLoop(s)
  l.run(for: .seconds(20 as Int64))
  l.setCapacity(6_000_000)
  for _ in 0..<60 {
  l.run(for: .milliseconds(100 as Int64))
    print("T \((l.now - l.samples[0].at).inSeconds) target \(l.estimator.targetBitrate/1000) q \(l.samples.last!.queue.wholeMilliseconds) est \(l.estimator.queueDelay.inMilliseconds) probes \(l.probesSent) \(l.estimator.description)")
  }
}
