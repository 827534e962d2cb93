import Core
import Cryptography

/// A reader of the records in a file (see `LogFormat`).
final class LogReader {
  /// The maximum size of a record, in bytes.
  ///
  /// It is much larger than a document's maximum size, because each element of an array repeats the
  /// field's name.
  private static let maximumRecordBytes = 1 << 30

  private let file: FileInput
  private var block = [UInt8](repeating: 0, count: LogFormat.blockBytes)
  /// The number of bytes in the current block, and the number of those that have been read.
  private var (filled, position) = (0, 0)
  /// The position of the current block in the file.
  private var offset = 0
  private var isAtEnd = false

  init(path: String) throws(StatusError) { file = try FileInput(path: path) }

  /// Returns the next record, or `nil` at the end.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a file that is cut off or damaged.
  func next() throws(StatusError) -> Data? {
    var record = Data()
    var isInside = false
    while let (type, range) = try nextFragment() {
      let begins = type == .full || type == .first
      guard begins != isInside else {
        throw fault("has a record whose fragments aren't in order")
      }
      record.append(contentsOf: block[range])
      guard record.count <= Self.maximumRecordBytes else {
        throw fault("has a record of more than 1 GiB")
      }
      if type == .full || type == .last { return record }
      isInside = true
    }
    if isInside { throw fault("is cut off") }
    return nil
  }

  /// Returns the next fragment, or `nil` at the end of the file.
  ///
  /// - Returns: The type of the fragment, and the range of its data in the block.
  private func nextFragment() throws(StatusError) -> (LogFormat.FragmentType, Range<Int>)? {
    while true {
      if position == filled {
        if isAtEnd { return nil }
        offset += filled
        position = 0
        filled = try file.fill(&block)
        isAtEnd = filled < block.count
        if filled == 0 { return nil }
      }
      let rest = block[position..<filled]
      let isPadding = rest.count < LogFormat.headerBytes && !isAtEnd
      // Type 0 marks space that a writer reserved but didn't use.
      let isUnused = rest.count >= LogFormat.headerBytes && block[position + 6] == 0
      guard isPadding || isUnused else { return try fragment(rest) }
      guard rest.allSatisfy({ $0 == 0 }) else { throw fault("is damaged") }
      position = filled
    }
  }

  private func fragment(
    _ rest: ArraySlice<UInt8>
  ) throws(StatusError) -> (LogFormat.FragmentType, Range<Int>) {
    guard rest.count >= LogFormat.headerBytes else { throw fault("is cut off") }
    let start = position + LogFormat.headerBytes
    let checksum = rest.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let length = Int(rest[position + 4]) | Int(rest[position + 5]) << 8
    guard start + length <= filled else {
      throw fault(isAtEnd ? "is cut off" : "is damaged")
    }
    guard CRC32C.masked(block[(start - 1)..<(start + length)]) == checksum,
      let type = LogFormat.FragmentType(rawValue: block[start - 1])
    else { throw fault("is damaged: the checksum of a fragment is wrong") }
    position = start + length
    return (type, start..<position)
  }

  private func fault(_ problem: String) -> StatusError {
    StatusError(.invalidArgument, "\(file.path) \(problem), at byte \(offset + position)")
  }
}
