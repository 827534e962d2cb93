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
  /// Returns whether the file is at least as long as an offset.
  package func hasBytes(upTo end: Int64) -> Bool {
    var information = stat()
    return fstat(descriptor, &information) == 0 && information.st_size >= off_t(end)
  }
}
