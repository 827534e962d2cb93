import Core

/// A buffer that splits arriving bytes into lines, and drops lines that are too long.
struct LineBuffer {
  private let limit: Int
  private var bytes: [UInt8] = []
  /// The number of leading bytes that are known to contain no line feed.
  private var scanned = 0
  private var isDiscarding = false

  /// - Parameter limit: The maximum length of a line in bytes.
  init(limit: Int) { self.limit = limit }

  mutating func append(_ chunk: [UInt8]) { bytes += chunk }

  /// Returns the next complete line without its line feed, or `nil` if more bytes must arrive
  /// first. Skips empty lines. For a line that is too long, returns a failure.
  mutating func next() -> Result<Data, StatusError>? {
    while let end = bytes[scanned...].firstIndex(of: 0x0A) {
      let line = Data(bytes[..<end])
      bytes.removeSubrange(...end)
      scanned = 0
      if isDiscarding || line.count > limit {
        isDiscarding = false
        return .failure(tooLong)
      }
      if !line.isEmpty { return .success(line) }
    }
    scanned = bytes.count
    if bytes.count > limit {
      bytes = []
      scanned = 0
      isDiscarding = true
    }
    return nil
  }

  /// Returns the last line if it has no line feed, or `nil` if there is none. Call it once at EOF,
  /// after `next` has returned `nil`.
  mutating func last() -> Result<Data, StatusError>? {
    defer {
      bytes = []
      scanned = 0
      isDiscarding = false
    }
    if isDiscarding { return .failure(tooLong) }
    return bytes.isEmpty ? nil : .success(Data(bytes))
  }

  private var tooLong: StatusError {
    StatusError(.invalidArgument, "the event is larger than \(limit >> 20) MiB")
  }
}
