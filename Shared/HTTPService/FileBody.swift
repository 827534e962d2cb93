import Core

/// A part of a file that is a response's body. The server sends it without copying it into memory.
package struct FileBody: Sendable {
  /// The owner of the descriptor, which stays open while the owner exists.
  package let owner: any Sendable
  package let descriptor: Int32
  /// The offset of the first byte.
  package let offset: Int64
  /// The number of bytes, which the file must have.
  package let count: Int64

  package init(owner: any Sendable, descriptor: Int32, offset: Int64, count: Int64) {
    self.owner = owner
    self.descriptor = descriptor
    self.offset = offset
    self.count = count
  }
}

extension FileBody {
  /// Returns the bytes.
  ///
  /// - Throws: `INTERNAL` if the file can't be read.
  func read() throws(StatusError) -> Data {
    var data = Data(count: Int(count))
    let isRead = data.withUnsafeMutableBytes { buffer in
      var position = 0
      while position < buffer.count {
        let read = pread(
          descriptor,
          buffer.baseAddress?.advanced(by: position),
          buffer.count - position,
          off_t(offset) + off_t(position)
        )
        if read < 0, errno == EINTR { continue }
        guard read > 0 else { return false }
        position += read
      }
      return true
    }
    guard isRead else { throw StatusError(.internal, "a file can't be read") }
    return data
  }
}
