import Core

extension PipeReader {
  /// The maximum length of a line that `lastLine` returns, in bytes. Longer lines are dropped.
  private static let maximumLength = 64 << 10

  /// Reads up to the end of the stream, and returns the last line that isn't blank and no detail of
  /// an error before it, or `nil` if there is none.
  ///
  /// If the pipe is abandoned, returns the last line that has arrived.
  func lastLine() async -> String? {
    var last: [UInt8]?
    while true {
      do throws(StatusError) {
        guard let line = try await nextLine(maximumLength: Self.maximumLength) else { break }
        if !line.isBlank, last == nil || !line.isDetail { last = line }
      } catch {
        guard error.code == .resourceExhausted else { break }
      }
    }
    return last.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension Collection<UInt8> {
  /// A Boolean value that indicates whether a line of text has only white space.
  package var isBlank: Bool { allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }

  /// A Boolean value that indicates whether a line only adds to an error in a line before it: an
  /// indented line, as in a stack trace, or the version that Node.js prints after an error.
  package var isDetail: Bool { first == 0x20 || first == 0x09 || starts(with: "Node.js v".utf8) }
}
