import Core

/// Reads records from a file, see `LogFormat`.
final class LogReader {
  /// Each element of an array repeats the field's name, so a document may take far more than it
  /// counts for.
  private static let maximumRecordBytes = 1 << 30

  private let file: FileInput
  private var block = [UInt8](repeating: 0, count: LogFormat.blockBytes)
  /// How much of the block there is, and how much of that was read.
  private var (filled, position) = (0, 0)
  /// Where in the file the block begins.
  private var offset = 0
  private var isAtEnd = false

  init(path: String) throws(StatusError) { file = try FileInput(path: path) }

  /// The next record; nil at the end.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a file that is cut off or not as it was written.
  func next() throws(StatusError) -> Data? {
    var record = Data()
    var isInside = false
    while let (type, range) = try nextFragment() {
      let begins = type == .full || type == .first
      guard begins != isInside else {
        throw fault("has fragments of records that don't belong together")
      }
      record.append(contentsOf: block[range])
      guard record.count <= Self.maximumRecordBytes else { throw fault("has a record too long") }
      if type == .full || type == .last { return record }
      isInside = true
    }
    if isInside { throw fault("is cut off") }
    return nil
  }

  /// Where in the block the next fragment's data is; nil at the end of the file.
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
      // Room that a writer made and didn't use has no type.
      let isUnused = rest.count >= LogFormat.headerBytes && block[position + 6] == 0
      guard isPadding || isUnused else { return try fragment(rest) }
      guard rest.allSatisfy({ $0 == 0 }) else { throw fault("is not as it was written") }
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
      throw fault(isAtEnd ? "is cut off" : "is not as it was written")
    }
    guard CRC32C.masked(block[(start - 1)..<(start + length)]) == checksum,
      let type = LogFormat.FragmentType(rawValue: block[start - 1])
    else { throw fault("is not as it was written: a checksum is wrong") }
    position = start + length
    return (type, start..<position)
  }

  private func fault(_ problem: String) -> StatusError {
    StatusError(.invalidArgument, "\(file.path) \(problem), at byte \(offset + position)")
  }
}
