import CRE2
import Core

/// A compiled regular expression of the methods `matches()`, `split()` and `replace()`.
///
/// Production and Google's emulator use RE2, too. Its time is linear in the text, whatever the
/// pattern.
final class Pattern: Sendable {
  /// RE2's functions may be called from several threads at the same time.
  private nonisolated(unsafe) let expression: OpaquePointer
  /// The number of groups in parentheses.
  let groupCount: Int

  /// The most bytes of memory that RE2 uses for the program and its caches.
  private static let memory: Int64 = 8 << 20

  init(_ text: String) throws(EvaluationError) {
    var pattern = try Self.translated(text)
    let expression = pattern.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { re2_compile($0.baseAddress, $0.count, Self.memory) }
    }
    guard let expression else { throw .pattern(text) }
    self.expression = expression
    groupCount = Int(re2_groups(expression))
  }

  deinit { re2_free(expression) }

  /// Returns the number of a named group, or `nil` if there is no such group.
  func group(_ name: String) -> Int? {
    var name = name
    let group = name.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { re2_group(expression, $0.baseAddress, $0.count) }
    }
    return group < 0 ? nil : Int(group)
  }

  /// Returns whether the pattern matches the whole text.
  func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { re2_matches(expression, $0.baseAddress, $0.count) }
    }
  }

  /// Calls `body` with the ranges of each match and its first groups, in the text's bytes.
  ///
  /// A match may be empty, also directly after another match.
  ///
  /// - Throws: An error after a second of the processor's time. One match is found in linear
  ///   time, but a pattern such as `a*b|a` reads the rest of the text for each of many matches.
  func forEachMatch(
    in text: UnsafeBufferPointer<UInt8>,
    groups: Int,
    _ body: ([Range<Int>?]) throws(EvaluationError) -> Void
  ) throws(EvaluationError) {
    var ranges = [re2_range](repeating: re2_range(), count: groups + 1)
    let deadline = Self.processorTime + 1
    var count = 0
    var start = 0
    while find(in: text, from: start, &ranges) {
      count += 1
      if count.isMultiple(of: 32), Self.processorTime > deadline {
        throw EvaluationError("The regular expression takes too long.")
      }
      try body(ranges.map { $0.start < 0 ? nil : $0.start..<$0.end })
      let end = ranges[0].end
      start = ranges[0].start < end ? end : end + Self.length(ofCharacterAt: end, in: text)
    }
  }

  /// The seconds that this thread has used the processor for.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  func find(
    in text: UnsafeBufferPointer<UInt8>,
    from start: Int,
    _ ranges: inout [re2_range]
  ) -> Bool {
    text.withMemoryRebound(to: CChar.self) { text in
      re2_find(expression, text.baseAddress, text.count, start, &ranges, CInt(ranges.count))
    }
  }

  /// Returns the bytes of the character at an offset, and 1 at the end of the text.
  private static func length(
    ofCharacterAt offset: Int,
    in text: UnsafeBufferPointer<UInt8>
  ) -> Int {
    guard offset < text.count else { return 1 }
    return switch text[offset] {
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }
}
