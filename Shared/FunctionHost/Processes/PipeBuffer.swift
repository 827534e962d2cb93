import Core

/// The reading end of a pipe, and a buffer of the bytes that were read from it but aren't taken
/// yet.
///
/// The buffer never waits for data. `PipeReader` does, after it has released its lock.
struct PipeBuffer: Sendable {
  enum Step {
    case line([UInt8])
    case more
    case blocked(Descriptor)
    case end
  }

  /// The size of a read in bytes: the capacity of a pipe on Linux.
  private static let chunkSize = 65_536
  /// The size in bytes of a read that is expected to find little data. It is usually enough, and
  /// needs no heap allocation.
  private static let shortSize = 1_024

  /// The reading end, or `nil` after the end of the stream.
  private(set) var descriptor: Descriptor?
  private var bytes: [UInt8] = []
  /// The index in `bytes` of the first byte that isn't taken yet.
  private var start = 0
  /// The index in `bytes` up to which the untaken bytes are known to have no line end.
  private var scanned = 0
  /// A Boolean value that indicates whether the rest of a line that is too long is being dropped.
  private var isSkipping = false
  private var readsShort = true

  /// - Parameter descriptor: A non-blocking descriptor, or `nil` for an empty stream.
  init(_ descriptor: Descriptor?) {
    self.descriptor = descriptor
  }

  /// The number of bytes that were read but aren't taken yet.
  var count: Int { bytes.count - start }

  /// Takes the next line that is in the buffer or can be read without waiting.
  ///
  /// - Parameter end: The byte that ends a line.
  mutating func takeLine(maximumLength: Int, end: UInt8) throws(StatusError) -> Step {
    while true {
      if let lineEnd = next(end) {
        let line = start..<lineEnd
        start = lineEnd + 1
        scanned = start
        if isSkipping {
          isSkipping = false
          continue
        }
        guard line.count <= maximumLength else { throw tooLong(maximumLength) }
        return .line(Array(bytes[line]))
      }
      scanned = bytes.count
      if isSkipping {
        start = bytes.count
      } else if count > maximumLength {
        isSkipping = true
        // Release the memory: advancing `start` alone would keep megabytes as long as the reader
        // exists.
        _ = takeAll()
        throw tooLong(maximumLength)
      }
      switch try fill() {
      // A line that is being dropped may never end, so return to let other tasks run.
      case .more where isSkipping: return .more
      case .more, .line: continue
      case .blocked(let descriptor): return .blocked(descriptor)
      case .end:
        let last = takeAll()
        return last.isEmpty ? .end : .line(last)
      }
    }
  }

  /// Reads once into the buffer, and closes the descriptor at the end of the stream.
  mutating func fill() throws(StatusError) -> Step {
    guard let descriptor else { return .end }
    let size = readsShort ? Self.shortSize : Self.chunkSize
    let (chunk, error) = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { raw in
      var count = 0
      repeat {
        count = read(descriptor.number, raw.baseAddress, raw.count)
      } while count < 0 && errno == EINTR
      return (count < 0 ? nil : Array(raw[..<count]), errno)
    }
    guard let chunk else {
      readsShort = true
      if error == EAGAIN { return .blocked(descriptor) }
      self.descriptor = nil
      throw StatusError(.unavailable, "reading from the process failed: \(systemMessage(error))")
    }
    readsShort = chunk.count < size
    guard !chunk.isEmpty else {
      self.descriptor = nil
      return .end
    }
    append(chunk)
    return .more
  }

  /// Removes and returns the bytes that aren't taken yet.
  mutating func takeAll() -> [UInt8] {
    defer {
      bytes = []
      start = 0
      scanned = 0
    }
    return start == 0 ? bytes : Array(bytes[start...])
  }

  private mutating func append(_ chunk: [UInt8]) {
    if start == bytes.count {
      bytes = chunk
    } else {
      bytes.removeSubrange(..<start)
      bytes += chunk
    }
    scanned = max(scanned - start, 0)
    start = 0
  }

  private func next(_ end: UInt8) -> Int? {
    bytes.withUnsafeBytes { raw in
      guard scanned < raw.count, let base = raw.baseAddress,
        let found = memchr(base + scanned, Int32(end), raw.count - scanned)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private func tooLong(_ maximumLength: Int) -> StatusError {
    StatusError(.resourceExhausted, "the process printed a line of over \(maximumLength) bytes")
  }
}
