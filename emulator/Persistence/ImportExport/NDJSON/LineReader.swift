import Core
import Cryptography

/// A reader that returns the lines of a file one by one, and computes the digest of the bytes it
/// reads.
struct LineReader {
  /// The maximum length of a line, in bytes. The line of the longest document, an array of a
  /// million nulls, is shorter.
  private static let maximumBytes = 64 << 20

  private let file: FileInput
  private var buffer: [UInt8] = []
  private var position = 0
  private var chunk = [UInt8](repeating: 0, count: 256 << 10)
  private var digest = SHA256Stream()
  /// The number of the line that was read last, or 0 if none was read.
  private(set) var number = 0

  init(path: String) throws(StatusError) { file = try FileInput(path: path) }

  /// The SHA-256 of the bytes read so far, in hexadecimal.
  var sha256: String { digest.hexadecimal }

  /// Returns the next line without its line break, or `nil` after the last line.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the last line has no line break, or if a line is too long.
  mutating func next() throws(StatusError) -> ArraySlice<UInt8>? {
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { position = end + 1 }
        number += 1
        return buffer[position..<end]
      }
      guard buffer.count - position <= Self.maximumBytes else {
        throw StatusError(.invalidArgument, "\(file.path), line \(number + 1) is too long")
      }
      buffer.removeFirst(position)
      position = 0
      searched = buffer.count
      let count = try file.fill(&chunk)
      if count == 0 {
        guard buffer.isEmpty else {
          throw StatusError(
            .invalidArgument,
            "\(file.path) is cut off: line \(number + 1) has no line break"
          )
        }
        return nil
      }
      chunk[..<count].withUnsafeBytes { digest.append($0) }
      buffer += chunk[..<count]
    }
  }
}
