import Core

/// Bytes as they arrive, lines as they are complete. A line beyond the limit is not kept.
struct LineBuffer {
  private let limit: Int
  private var bytes: [UInt8] = []
  /// How many of the bytes have no line feed.
  private var scanned = 0
  private var isDiscarding = false

  /// - Parameter limit: of a line, in bytes.
  init(limit: Int) { self.limit = limit }

  mutating func append(_ chunk: [UInt8]) { bytes += chunk }

  /// The next complete line without its line feed, empty ones left out; a failure stands for a
  /// line that is too long; nil until more arrives.
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

  /// What stands before EOF without a line feed is a line too. Once, after `next` gave nil.
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
