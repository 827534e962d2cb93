extension Duration {
  /// The duration in whole milliseconds, rounded up, for libcurl. It is at least 1, because 0 means
  /// no limit. It is at most the largest 32-bit number, which is 24 days.
  var curlMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 1 }
    guard seconds < 2_000_000 else { return Int(Int32.max) }
    let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
    let rest = (attoseconds + attosecondsPerMillisecond - 1) / attosecondsPerMillisecond
    return max(1, Int(seconds * 1000 + rest))
  }
}
