import Core

/// The bytes of a pipe that are read and not yet taken, and the reading end until it ends.
///
/// Nothing here waits: `PipeReader` does, outside of its lock.
struct PipeBuffer: Sendable {
  enum Step {
    case line([UInt8])
    case more
    case blocked(Descriptor)
    case end
  }

  /// How much one read takes at most: what a pipe holds on Linux.
  private static let chunkSize = 65_536
  /// What is tried first: mostly there is a short line or nothing, and this much needs no heap.
  private static let shortSize = 1_024

  /// nil from the end of the stream on.
  private(set) var descriptor: Descriptor?
  private var bytes: [UInt8] = []
  /// Where in `bytes` those not taken yet start.
  private var start = 0
  /// Up to where `bytes` is known to have no end of a line.
  private var scanned = 0
  /// Whether the line being read was too long, so that the rest of it is dropped.
  private var isSkipping = false
  private var readsShort = true

  /// - Parameter descriptor: one that doesn't block, or nil for a stream without bytes.
  init(_ descriptor: Descriptor?) {
    self.descriptor = descriptor
  }

  /// How many bytes are here and not taken.
  var count: Int { bytes.count - start }

  /// The next line that is here or can be read without waiting.
  ///
  /// - Parameter end: the byte that ends a line.
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
        // Not only taken: megabytes would stay as long as the reader.
        _ = takeAll()
        throw tooLong(maximumLength)
      }
      switch try fill() {
      // What is skipped can be without end: let others run meanwhile.
      case .more where isSkipping: return .more
      case .more, .line: continue
      case .blocked(let descriptor): return .blocked(descriptor)
      case .end:
        let last = takeAll()
        return last.isEmpty ? .end : .line(last)
      }
    }
  }

  /// Reads once into the buffer and closes the descriptor at the end of the stream.
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
      throw StatusError(.unavailable, "no read from the process: \(systemMessage(error))")
    }
    readsShort = chunk.count < size
    guard !chunk.isEmpty else {
      self.descriptor = nil
      return .end
    }
    append(chunk)
    return .more
  }

  /// The bytes not taken yet, which are then gone from the buffer.
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
